// A picture that can be touched. It knows where things lie and what they are called, and nothing of any game: which of them
// can be touched now is told by whoever makes the move.

import { make } from "./dom.js";
import { net } from "./net.js";
import { theme } from "./theme.js";
import { enlarge, paint } from "./log.js";
import { slide } from "./slide.js";

const SPACE = "http://www.w3.org/2000/svg";
// What a finger hits surely, in pixels of the page; and how far from a thing it may come down.
const THUMB = 40;
const REACH = THUMB / 2;
// What stands for a picture that did not arrive, and after how many milliseconds it is asked for again.
const BROKEN = "broken";
const AGAIN = 3000;
// A pointer that moves so far drags what it took.
const DRAG = 10;
// Farther than anything in a picture.
const FAR = 10_000;
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export const drawn = (tag, attributes, ...children) => {
  const element = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

// Pictures by what is touched of them: what is taken in one may be dropped in another.
const pictures = new WeakMap();

export class Board {
  // `touched` hears of spots that are touched, `back` of the wish to take the last touch back. What lies in a picture that is
  // `carried` is dragged to another one.
  constructor(box, { label, touched, back, carried = false }) {
    Object.assign(this, { box, label, touched, back, carried, key: null, spots: [], open: new Map(), picked: new Set(), current: 0 });
  }

  // Shows a picture with its spots; the one before stays until both are there, so that nothing jumps.
  async show(picture) {
    const key = picture ? `${picture.url} ${theme.boards}` : null;
    if (this.key === key) return;
    this.key = key;
    this.box.hidden = !picture;
    this.box.classList.toggle("loading", Boolean(picture));
    if (!picture) { this.box.replaceChildren(); Object.assign(this, { image: null, spots: [] }); return; }
    const image = make("img", { alt: picture.alt, decoding: "async" });
    const loaded = new Promise((done) => { image.onload = () => done("loaded"); image.onerror = () => done("broken"); });
    paint(image, picture).then(() => { if (image.classList.contains("broken")) image.onerror(); });
    const known = net.get(picture.spots).then(({ spots }) => spots, () => null);
    const [state, spots] = await Promise.all([loaded, known]);
    if (this.key !== key) return;
    image.classList.add(state);
    this.box.classList.remove("loading");
    this.place(image, spots ?? []);
    if (state === "loaded" && spots) return;
    // What did not arrive is asked for again, until something else is to be shown.
    this.key = BROKEN;
    setTimeout(() => { if (this.key === BROKEN) this.show(picture); }, AGAIN);
  }

  place(image, spots) {
    const before = { image: this.image, spots: this.spots };
    const focused = this.layer?.contains(document.activeElement) ? this.spots[this.current]?.word : null;
    Object.assign(this, { image, spots: spots.map(measured) });
    this.width = image.naturalWidth || 1;
    this.height = image.naturalHeight || 1;
    this.closeLens();
    this.layer = this.draw(drawn("svg", { class: "spots", viewBox: `0 0 ${this.width} ${this.height}`, role: "group", "aria-label": this.label }));
    pictures.set(this.layer, this);
    this.layer.addEventListener("keydown", (event) => this.walk(event));
    this.layer.addEventListener("pointerdown", (event) => this.take(event));
    this.layer.addEventListener("click", (event) => this.click(event));
    this.frame = make("div", { className: "picture touchable" }, image, this.layer);
    const zoom = make("button", { type: "button", className: "button small enlarge", textContent: "Enlarge", onclick: () => enlarge(image) });
    zoom.setAttribute("aria-label", `Enlarge: ${this.label.toLowerCase()}`);
    this.box.replaceChildren(this.frame, zoom);
    const again = this.spots.findIndex(({ word }) => word === focused);
    this.current = Math.max(0, again);
    this.light(this.open, this.picked);
    if (focused !== null) this.elements[this.current]?.focus({ preventScroll: true });
    if (before.image) slide(before, this);
    // What needed the token was copied for its image alone.
    if (before.image?.src.startsWith("blob:")) setTimeout(() => URL.revokeObjectURL(before.image.src), 1000);
  }

  // The spots as shapes, in the whole picture or in the lens.
  draw(layer) {
    const elements = this.spots.map(({ corners, says }, at) => {
      const shape = drawn("polygon", { class: "spot", points: corners.map((corner) => corner.join(",")).join(" "), role: "button", tabindex: -1, "data-at": at });
      shape.append(drawn("title", {}, says));
      return shape;
    });
    if (layer.classList.contains("spots")) this.elements = elements;
    layer.append(...elements);
    return layer;
  }

  // Shows what can be touched (`open`, by word) and what is picked.
  light(open, picked) {
    Object.assign(this, { open, picked });
    if (!this.layer) return;
    this.spots.forEach((spot, at) => this.mark(this.elements[at], spot));
    const next = this.spots.filter(({ word }) => open.get(word)?.next).length;
    // Where nothing is picked and nearly all can be, rings would only hide the board.
    this.layer.classList.toggle("quiet", picked.size === 0 && next > 24);
    this.layer.classList.toggle("idle", picked.size === 0);
    this.elements[this.current]?.setAttribute("tabindex", 0);
    if (this.lens) for (const shape of this.lens.querySelectorAll(".spot")) this.mark(shape, this.spots[shape.dataset.at]);
  }

  mark(element, { word, says, holds }) {
    const open = this.open.get(word);
    const picked = this.picked.has(word);
    element.classList.toggle("open", Boolean(open));
    element.classList.toggle("next", Boolean(open?.next));
    element.classList.toggle("picked", picked);
    const taken = Boolean(open?.next || picked);
    element.classList.toggle("held", Boolean(holds) && taken);
    element.classList.toggle("carried", this.carried && taken);
    const does = open?.label && open.label !== word ? open.label : "can be picked";
    const label = picked ? `${says}. Picked.` : open ? `${says}. ${does}.` : says;
    element.setAttribute("aria-label", label);
    element.setAttribute("aria-pressed", String(picked));
    element.setAttribute("aria-disabled", String(!open && !picked));
    element.querySelector("title").textContent = label;
    element.dataset.word = word;
    element.setAttribute("tabindex", -1);
  }

  // How many pixels of the page a pixel of the picture has.
  get scale() { return this.layer.getBoundingClientRect().width / this.width; }

  // Where something happened, in the picture.
  point({ clientX, clientY }) {
    const { left, top } = this.layer.getBoundingClientRect();
    return [(clientX - left) / this.scale, (clientY - top) / this.scale];
  }

  // What a pointer means. A finger that comes down beside a small thing means it, unless it could mean another one, too:
  // then nothing, `several` is true, and `under` is what lies right under it, if anything does.
  meant(event) {
    const hit = this.spots[event.target.closest?.(".spot")?.dataset.at] ?? null;
    const answers = (spot) => this.open.has(spot.word) || this.picked.has(spot.word);
    const fine = event.pointerType === "mouse" || !event.pointerType;
    if (fine || (hit && answers(hit) && Math.min(hit.wide, hit.high) * this.scale >= THUMB)) return { hit, several: false };
    const at = this.point(event);
    const near = this.spots.filter((spot) => answers(spot) && away(spot, at) * this.scale <= REACH);
    // What is being answered goes before what may be touched besides.
    const next = near.filter(({ word }) => this.open.get(word)?.next || this.picked.has(word));
    const all = next.length ? next : near;
    const words = new Set(all.map(({ word }) => word));
    return words.size > 1 ? { hit: null, several: true, under: hit } : { hit: all[0] ?? hit, several: false };
  }

  click(event) {
    if (this.dragged) { this.dragged = false; return; }
    // A key has no place.
    const { hit, several } = event.detail === 0 && !event.clientX ? { hit: this.spots[event.target.dataset?.at] } : this.meant(event);
    if (several) { this.openLens(event); return; }
    if (hit) this.pick(hit);
  }

  pick(spot) {
    this.current = this.spots.indexOf(spot);
    this.touched(spot);
  }

  // Takes something, to drop it elsewhere.
  take(event) {
    this.dragged = false;
    if (event.button !== 0 || !event.isPrimary) return;
    // A finger that comes down on anything else scrolls.
    if (event.pointerType === "touch" && !event.target.closest?.(".held, .carried")) return;
    const { hit: meant, under } = this.meant(event);
    // Whoever drags sees what they took.
    const hit = meant ?? under;
    if (!hit || !(this.open.get(hit.word)?.next || this.picked.has(hit.word))) return;
    const start = [event.clientX, event.clientY];
    const gone = new AbortController();
    const on = (name, act) => window.addEventListener(name, act, { signal: gone.signal });
    let ghost = null;
    on("pointermove", (move) => {
      if (move.pointerId !== event.pointerId) return;
      if (!ghost && Math.hypot(move.clientX - start[0], move.clientY - start[1]) < DRAG) return;
      if (!ghost) {
        ghost = this.lift(hit);
        this.dragged = true;
        if (!this.picked.has(hit.word)) this.pick(hit);
      }
      ghost.style.translate = `${move.clientX}px ${move.clientY}px`;
    });
    const end = (up) => {
      if (up.pointerId !== event.pointerId) return;
      gone.abort();
      ghost?.remove();
      // A click may follow, and is none.
      setTimeout(() => { this.dragged = false; });
      if (!ghost || up.type === "pointercancel") return;
      const place = document.elementFromPoint(up.clientX, up.clientY);
      const goal = pictures.get(place?.closest(".touchable")?.querySelector(".spots"))?.nearest(up, place);
      if (goal && goal.word !== hit.word) this.touched(goal);
    };
    on("pointerup", end);
    on("pointercancel", end);
  }

  // What lies under a pointer that lets go, or else nearest to it.
  nearest(event, place) {
    const hit = this.spots[place.closest(".spots .spot")?.dataset.at];
    if (hit) return hit;
    const at = this.point(event);
    const far = (spot) => away(spot, at) * this.scale;
    const near = this.spots.filter((spot) => this.open.has(spot.word) && far(spot) <= REACH);
    return near.sort((one, other) => far(one) - far(other))[0] ?? null;
  }

  // A copy of a thing that follows the pointer.
  lift(spot) {
    const ghost = crop(this.image, this, spot, this.scale);
    ghost.classList.add("ghost");
    ghost.classList.toggle("round", Boolean(spot.holds));
    ghost.style.margin = `${-spot.high * this.scale / 2}px 0 0 ${-spot.wide * this.scale / 2}px`;
    document.body.append(ghost);
    return ghost;
  }

  // A part of the picture, so large that a finger can tell the things in it apart.
  openLens(event) {
    this.closeLens();
    const at = this.point(event);
    const near = this.spots.filter((spot) => this.open.has(spot.word) && away(spot, at) * this.scale <= REACH);
    const least = Math.min(...near.map(({ wide, high }) => Math.min(wide, high)));
    const size = Math.min(this.layer.clientWidth, 340);
    const scale = Math.max(1.6 * this.scale, 46 / least);
    const side = size / scale;
    const within = (middle, whole) => Math.max(0, Math.min(middle - side / 2, whole - side));
    const [x, y] = [within(at[0], this.width), within(at[1], this.height)];
    const lens = drawn("svg", { class: "lens", viewBox: `${x} ${y} ${side} ${side}`, role: "group", "aria-label": "Enlarged" },
      drawn("image", { href: this.image.src, width: this.width, height: this.height }));
    this.lens = this.draw(lens);
    const [left, top] = [at[0] * this.scale - size / 2, at[1] * this.scale - size / 2];
    lens.style.width = lens.style.height = `${size}px`;
    lens.style.left = `${Math.max(0, Math.min(left, this.layer.clientWidth - size))}px`;
    lens.style.top = `${Math.max(0, Math.min(top, Math.max(0, this.layer.clientHeight - size)))}px`;
    lens.addEventListener("click", (click) => {
      const spot = this.spots[click.target.closest(".spot")?.dataset.at];
      this.closeLens();
      if (spot) this.pick(spot);
    });
    this.frame.append(lens);
    this.light(this.open, this.picked);
    // Whoever touches beside it wants it away.
    const away_ = (press) => { if (!lens.contains(press.target)) this.closeLens(); };
    setTimeout(() => { if (this.lens === lens) document.addEventListener("pointerdown", away_, { capture: true }); });
    lens.gone = () => document.removeEventListener("pointerdown", away_, { capture: true });
  }

  closeLens() {
    this.lens?.gone();
    this.lens?.remove();
    this.lens = null;
  }

  // Arrows walk to the nearest thing that way, Enter touches it, Escape takes the last touch back.
  walk(event) {
    const at = Number(event.target.dataset?.at);
    if (!this.spots[at]) return;
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); this.pick(this.spots[at]); return; }
    if (event.key === "Escape" && (this.lens || this.picked.size)) { event.preventDefault(); if (this.lens) this.closeLens(); else this.back(); return; }
    const way = WAYS[event.key];
    if (!way) return;
    event.preventDefault();
    const [x, y] = this.spots[at].middle;
    let [best, least] = [at, Infinity];
    this.spots.forEach(({ middle }, other) => {
      const [dx, dy] = [middle[0] - x, middle[1] - y];
      const along = dx * way[0] + dy * way[1];
      const aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
      if (other === at || along <= 2 || aside > 3 * along) return;
      // The next column of hexagons lies a little aside. What lies more aside than ahead comes only where nothing else does.
      const far = Math.hypot(along, aside) + (aside > along ? FAR : 0);
      if (far < least) [best, least] = [other, far];
    });
    this.elements[at].setAttribute("tabindex", -1);
    this.current = best;
    this.elements[best].setAttribute("tabindex", 0);
    this.elements[best].focus();
  }
}

// A spot with its middle and its extent.
function measured(spot) {
  const [xs, ys] = [0, 1].map((axis) => spot.corners.map((corner) => corner[axis]));
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [wide, high] = [Math.max(...xs) - left, Math.max(...ys) - top];
  return { ...spot, left, top, wide, high, middle: [left + wide / 2, top + high / 2] };
}

// How far a point is from a thing; nothing if it is on it.
function away({ left, top, wide, high }, [x, y]) {
  return Math.hypot(Math.max(left - x, 0, x - left - wide), Math.max(top - y, 0, y - top - high));
}

// The part of a picture that a spot takes, as an image of its own.
export function crop(image, { width, height }, { left, top, wide, high }, scale) {
  const part = drawn("svg", { viewBox: `${left} ${top} ${wide} ${high}`, "aria-hidden": "true" }, drawn("image", { href: image.src, width, height }));
  Object.assign(part.style, { width: `${wide * scale}px`, height: `${high * scale}px` });
  return part;
}
