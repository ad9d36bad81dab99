// How the last move is shown: what stands elsewhere now slides there, what is new or gone fades. Spots tell what stands on
// them, so this works for every board on which something does.

import { crop } from "./board.js";

const TIME = 240;
// More than this is a new position and no move.
const MOST = 6;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export function slide(before, board) {
  if (still.matches || document.hidden || before.image.naturalWidth !== board.image.naturalWidth || before.image.naturalHeight !== board.image.naturalHeight) return;
  const stood = new Map(before.spots.map((spot) => [spot.word, spot]));
  const changed = board.spots.filter((spot) => stood.has(spot.word) && stood.get(spot.word).holds !== spot.holds);
  if (!changed.length || changed.length > MOST) return;
  const left = changed.map(({ word }) => stood.get(word)).filter((spot) => spot.holds);
  const size = { width: board.width, height: board.height };
  for (const spot of changed) {
    // What was here goes.
    const old = crop(before.image, size, spot, board.scale);
    lay(old, board, spot);
    old.animate([{ opacity: 1 }, { opacity: 1, offset: 0.6 }, { opacity: 0 }], { duration: TIME, easing: "ease-out" }).onfinish = () => old.remove();
    const from = left.findIndex((one) => one.holds === spot.holds && one.word !== spot.word);
    if (!spot.holds || from < 0) continue;
    const [start] = left.splice(from, 1);
    const thing = crop(board.image, size, spot, board.scale);
    thing.classList.add("round");
    lay(thing, board, spot);
    const [x, y] = [0, 1].map((axis) => (start.middle[axis] - spot.middle[axis]) * board.scale);
    thing.animate([{ translate: `${x}px ${y}px` }, { translate: "0 0" }], { duration: TIME, easing: "ease-in-out" }).onfinish = () => thing.remove();
  }
}

function lay(part, board, spot) {
  part.classList.add("passing");
  part.style.left = `${spot.left * board.scale}px`;
  part.style.top = `${spot.top * board.scale}px`;
  board.frame.append(part);
}
