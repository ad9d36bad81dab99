// How the last move is shown: what stands elsewhere now slides there, a card that shows something else is turned over, what is
// new or gone fades. Spots tell what stands on them and what they show, so this works for every picture on which something does.

import { crop } from "./board.js";
import { make } from "./dom.js";

const TIME = 240;
// More than this is a new position and no move.
const MOST = 6;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const thing = (spot) => spot?.holds ?? spot?.shows;

export function slide(before, board) {
  if (still.matches || document.hidden) return;
  const [was, size] = [before.image, board.image].map(({ naturalWidth, naturalHeight }) => ({ width: naturalWidth, height: naturalHeight }));
  if (was.width !== size.width) return;
  // Where the picture is laid out anew, where something stood before says nothing.
  const same = was.height === size.height;
  const stood = new Map(before.spots.map((spot) => [spot.word, spot]));
  const stands = new Set(board.spots.map(({ word }) => word));
  const changed = board.spots.filter((spot) => {
    const old = stood.get(spot.word);
    return old ? thing(old) !== thing(spot) || (same && thing(spot) && apart(old, spot)) : thing(spot);
  });
  if (!changed.length || changed.length > MOST) return;
  const left = [...changed.map(({ word }) => stood.get(word)), ...before.spots.filter(({ word }) => !stands.has(word))].filter(thing);
  for (const spot of changed) {
    const old = stood.get(spot.word);
    const from = thing(old) === thing(spot) ? left.indexOf(old) : left.findIndex((one) => thing(one) === thing(spot));
    // What has only gone on to another place was not turned over.
    if (spot.shows && old?.shows && from < 0 && !board.spots.some((one) => thing(one) === thing(old))) { turn(crop(before.image, was, old, board.scale), crop(board.image, size, spot, board.scale), board, spot); continue; }
    if (!thing(spot) || from < 0 || !same) {
      // What was here goes, or what is here comes.
      if (old && same) fade(crop(before.image, was, spot, board.scale), board, spot);
      else if (from < 0) fade(cover(board, spot), board, spot);
      continue;
    }
    const [start] = left.splice(from, 1);
    fade(crop(before.image, was, spot, board.scale), board, spot);
    const part = crop(board.image, size, spot, board.scale);
    if (spot.holds) part.classList.add("round");
    const [x, y] = [0, 1].map((axis) => (start.middle[axis] - spot.middle[axis]) * board.scale);
    show(part, board, spot, [{ translate: `${x}px ${y}px` }, { translate: "0 0" }], "ease-in-out");
  }
}

const apart = (one, other) => Math.hypot(one.middle[0] - other.middle[0], one.middle[1] - other.middle[1]) > 6;

// Nothing, as large as a thing.
function cover(board, spot) {
  const part = make("div", { className: "cover" });
  Object.assign(part.style, { width: `${spot.wide * board.scale}px`, height: `${spot.high * board.scale}px` });
  return part;
}

function fade(part, board, spot) {
  show(part, board, spot, [{ opacity: 1 }, { opacity: 1, offset: 0.6 }, { opacity: 0 }], "ease-out");
}

// One face goes, then the other comes; meanwhile nothing is seen of the picture, which shows the other already.
function turn(old, now, board, spot) {
  const [flat, open] = [{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }];
  show(cover(board, spot), board, spot, [{ opacity: 1 }, { opacity: 1 }], "linear");
  show(old, board, spot, [open, { ...flat, offset: 0.5 }, flat], "ease-in");
  show(now, board, spot, [flat, { ...flat, offset: 0.5 }, open], "ease-out");
}

function show(part, board, spot, frames, easing) {
  part.classList.add("passing");
  part.style.left = `${spot.left * board.scale}px`;
  part.style.top = `${spot.top * board.scale}px`;
  board.frame.append(part);
  part.animate(frames, { duration: TIME, easing }).onfinish = () => part.remove();
}
