// A list of messages, in the room or for one guest alone.

import { $, face, focusLine, icon, make } from "./dom.js";
import { net } from "./net.js";
import { theme } from "./theme.js";
import { moment, spoken, when } from "./times.js";

// Messages of one author within so many milliseconds stand under one name.
const TOGETHER = 5 * 60_000;
// A menu with more entries can be searched.
const MANY = 14;
// How many messages are kept on the page.
const MOST = 400;

const LOCK = "M5 9h10v8H5zM7 9V6a3 3 0 0 1 6 0v3";

export class Log {
  constructor(box, list, { me, press, jump }) {
    Object.assign(this, { box, list, me, press, jump, shown: new Map(), seen: new Set() });
    if (jump) {
      jump.onclick = () => this.toEnd(true);
      box.addEventListener("scroll", () => { if (this.atEnd()) jump.hidden = true; });
    }
    // What grows at the end, such as a picture that has loaded, keeps the end in view.
    this.follow = true;
    box.addEventListener("scroll", () => { this.follow = this.atEnd(); });
    const grown = () => { if (this.held?.isConnected) this.hold(this.held); else if (this.follow) this.toEnd(); };
    new ResizeObserver(grown).observe(list);
    new ResizeObserver(grown).observe(box);
    // Whoever scrolls, looks where they like.
    for (const deed of ["wheel", "touchmove", "pointerdown", "keydown"]) {
      box.addEventListener(deed, () => { this.held = null; }, { passive: true });
    }
  }

  clear() {
    this.shown.clear();
    this.seen.clear();
    this.list.replaceChildren();
    if (this.jump) this.jump.hidden = true;
  }

  atEnd() { return this.box.scrollHeight - this.box.scrollTop - this.box.clientHeight < 60; }

  toEnd(smooth = false) {
    this.held = null;
    this.follow = true;
    this.box.scrollTo({ top: this.box.scrollHeight, behavior: smooth ? "smooth" : "instant" });
  }

  // The cursor of the first message.
  first() { return Math.min(...[...this.shown.values()].map(({ post }) => (post?.cursor ? Number(post.id) : Infinity))); }

  // Shows a message. False if it is shown already.
  add(post) {
    if (post.revised && this.revise(post)) return false;
    // An answer comes twice, by the request and by the stream, and may be gone before the second time.
    if (this.has(post)) return false;
    this.seen.add(post.id);
    const wasAtEnd = this.atEnd();
    if (post.reply) this.makeRoom(post);
    else this.tidy(post);
    const element = this.draw(post);
    this.shown.set(post.id, { post, element });
    const next = post.cursor ? this.after(Number(post.id)) : null;
    const slot = this.slot;
    this.slot = null;
    const focused = slot?.contains(document.activeElement);
    if (slot?.isConnected) slot.replaceWith(element);
    else this.list.insertBefore(element, next);
    // Whoever plays by keyboard goes on where they were.
    if (focused || (post.reply && Log.byKey)) element.querySelector(".body button:not(.picture), .body input")?.focus();
    Log.byKey = false;
    this.join(element);
    this.join(element.nextElementSibling);
    this.dim(post);
    this.trim();
    if (post.reply) this.bring(element);
    else if (wasAtEnd || post.from?.id === this.me()) this.toEnd();
    else if (this.jump && !next) this.jump.hidden = false;
    return true;
  }

  // Puts a message that was written anew in place of what it was. False if it is not shown.
  revise(post) {
    const known = this.shown.get(post.id);
    if (!known) return false;
    if (known.post.cursor >= post.cursor) return true;
    this.tidy(post);
    const wasAtEnd = this.atEnd();
    const element = this.draw(post);
    // The old picture stays until the new one is there, so that nothing jumps.
    const [before, now] = [known.element, element].map((one) => one.querySelector(".picture img"));
    if (before?.complete && now) { now.style.minHeight = `${before.clientHeight}px`; now.addEventListener("load", () => { now.style.minHeight = ""; }, { once: true }); }
    const focused = known.element.contains(document.activeElement);
    known.element.replaceWith(element);
    this.shown.set(post.id, { post, element });
    if (focused) element.querySelector(".body button:not(.picture)")?.focus();
    this.join(element);
    this.join(element.nextElementSibling);
    this.dim(post);
    if (wasAtEnd) this.toEnd();
    return true;
  }

  has(post) { return this.shown.has(post.id) || this.seen.has(post.id); }

  // Notes an answer that is shown elsewhere, and puts away what it answers. False if it is known.
  drop(post) {
    if (this.has(post)) return false;
    this.seen.add(post.id);
    this.makeRoom(post);
    const focused = this.slot?.contains(document.activeElement);
    this.slot?.remove();
    this.slot = null;
    if (focused && Log.byKey) focusLine();
    return true;
  }

  // Puts away answers that were good only until the next command.
  forgetPassing() {
    for (const [id, { post, element }] of this.shown) {
      if (post?.reply?.passing) { element.remove(); this.shown.delete(id); }
    }
  }

  // Takes buttons away that can do nothing any more: of a table that has begun or is gone, and of an earlier moment of
  // a match. `alive` tells the version and the stage of a match, if they are known.
  takeDeadAway(alive) {
    for (const { post, element } of this.shown.values()) {
      if (!post) continue;
      for (const button of element.querySelectorAll("button[data-command]")) {
        const [verb, mark] = button.dataset.command.split(" ");
        const [, code, version] = /^#([A-Z0-9]+)(?:@(\d+))?/.exec(mark ?? "") ?? [];
        const known = code && alive(code);
        if (!known) continue;
        const gathers = ["accept", "decline", "join", "fill", "cancel"].includes(verb);
        if (gathers ? known.stage !== "open" : version && Number(version) < known.version) button.remove();
      }
    }
  }

  // Shows the end of the list, or the beginning of a card that doesn't fit in.
  bring(element) {
    this.toEnd();
    if (element.offsetHeight > this.box.clientHeight - 24) this.hold(element);
  }

  // Keeps the beginning of a card in view, though pictures before it are still loading.
  hold(element) {
    this.held = element;
    this.follow = false;
    element.scrollIntoView({ block: "start" });
    this.box.scrollTop -= 8;
  }

  addBefore(posts) {
    const height = this.box.scrollHeight;
    const top = this.box.scrollTop;
    for (const post of [...posts].reverse()) {
      if (this.shown.has(post.id)) continue;
      const element = this.draw(post);
      this.shown.set(post.id, { post, element });
      this.list.prepend(element);
      this.join(element.nextElementSibling);
      this.dim(post);
    }
    this.box.scrollTop = top + this.box.scrollHeight - height;
  }

  // A card of the page's own, at the end; one of each kind.
  addCard(kind, content) {
    this.list.querySelector(`[data-card="${kind}"]`)?.remove();
    const element = make("li", { className: "message card own" });
    element.dataset.card = kind;
    element.append(this.closer(() => element.remove()), content);
    this.list.append(element);
    this.bring(element);
  }

  // Puts such a card away, if it is there, and shows what it stood before.
  putAway(kind) {
    const card = this.list.querySelector(`[data-card="${kind}"]`);
    if (!card) return;
    card.remove();
    this.toEnd();
  }

  // The message before which one with this cursor belongs, if it isn't the last.
  after(cursor) {
    let next = null;
    for (let at = this.list.lastElementChild; at; at = at.previousElementSibling) {
      const number = Number(at.dataset.cursor);
      if (number && number < cursor) break;
      if (number > cursor) next = at;
    }
    return next;
  }

  trim() {
    while (this.shown.size > MOST) {
      const [id, { element }] = this.shown.entries().next().value;
      this.shown.delete(id);
      this.seen.delete(id);
      element.remove();
      $("older").hidden = false;
    }
  }

  // An answer takes the place of the answer whose button was pressed, or of the last one to the same button.
  makeRoom(post) {
    const { under } = post.reply;
    this.slot = null;
    if (!under) return;
    for (const [id, { post: other, element }] of this.shown) {
      if (!other?.reply) continue;
      if (id === under) this.slot = element;
      else if (other.reply.under === under) element.remove();
      else continue;
      this.shown.delete(id);
    }
  }

  // When a match goes on, answers about its earlier moments go.
  tidy(post) {
    const code = codeOf(post);
    const now = versionOf(post, code) ?? Infinity;
    for (const [id, { post: other, element }] of this.shown) {
      if (!other?.reply) continue;
      if (code && versionOf(other, code) < now) { element.remove(); this.shown.delete(id); }
    }
  }

  // The match that is on the table now.
  setPinned(code) {
    this.pinned = code;
    for (const board of this.list.querySelectorAll("[data-board]")) board.classList.toggle("on-table", board.dataset.board === code);
  }

  // Of a match's boards only the last one is large.
  dim(post) {
    const code = !post.reply && post.picture?.match;
    if (!code) return;
    const boards = this.list.querySelectorAll(`[data-board="${CSS.escape(code)}"]`);
    boards.forEach((board, index) => board.classList.toggle("past", index < boards.length - 1));
  }

  // Whether a message goes on under the name of the one before it.
  join(element) {
    if (!element?.dataset.author) return;
    const before = element.previousElementSibling;
    const near = before && Number(element.dataset.at) - Number(before.dataset.at) < TOGETHER;
    element.classList.toggle("joined", Boolean(near && before.dataset.author === element.dataset.author));
  }

  closer(close) {
    const button = make("button", { type: "button", className: "icon close", textContent: "×", onclick: close });
    button.setAttribute("aria-label", "Put this away");
    return button;
  }

  draw(post) {
    const element = make("li", { className: "message" });
    element.dataset.id = post.id;
    element.dataset.at = post.at;
    if (post.cursor) element.dataset.cursor = post.id;
    const body = make("div", { className: "body" }, words(post.text, this.me()));
    if (post.reply) {
      element.classList.add("only-you");
      const head = make("div", { className: "only-head" }, icon(LOCK), make("span", { textContent: "Only you see this" }));
      if (!post.reply.under) head.append(make("code", { className: "asked", textContent: post.reply.asked }));
      element.append(head, this.closer(() => { element.remove(); this.shown.delete(post.id); }));
    } else {
      const author = post.from?.name ?? "Parlor";
      element.dataset.author = post.from?.id ?? "";
      if (!post.from) element.dataset.author = "the parlor";
      const portrait = post.from ? face(make("span"), author) : make("span", { className: "face house" });
      portrait.setAttribute("aria-hidden", "true");
      const head = make("div", { className: "head" }, make("b", { textContent: author }));
      if (!post.from) head.append(make("span", { className: "tag", textContent: "bot" }));
      head.append(make("span", { className: "at", textContent: moment(post.at) }));
      element.append(portrait, head);
    }
    if (!post.reply && post.ping.includes(this.me())) element.classList.add("calls-you");
    if (post.private && !post.reply) element.classList.add("secret");
    if (post.picture?.match && !post.reply) {
      element.dataset.board = post.picture.match;
      element.classList.toggle("on-table", post.picture.match === this.pinned);
    }
    if (post.picture) body.append(this.picture(post));
    if (post.file) body.append(download(post.file));
    if (post.menu.length) body.append(choices(post, this.press));
    if (post.buttons.length) body.append(make("div", { className: "buttons" }, ...post.buttons.map((button) => pressable(post, button, this.press))));
    element.append(body);
    return element;
  }

  picture(post) {
    const image = make("img", { alt: post.picture.alt, loading: "lazy", decoding: "async" });
    image.onload = () => image.classList.add("loaded");
    image.onerror = () => image.classList.add("broken");
    const button = make("button", { type: "button", className: "picture", onclick: () => enlarge(image) }, image);
    button.title = "Enlarge";
    paint(image, post.picture);
    return button;
  }

  // Draws all pictures anew, in the theme that now holds.
  repaint() {
    for (const { post, element } of this.shown.values()) {
      const image = post?.picture && element.querySelector(".picture img");
      if (image) paint(image, post.picture);
    }
  }
}

// Something to press; `chip` for one of many. What it does is told under its name.
export function pressable(post, button, press, chip = false) {
  const element = make("button", { type: "button" }, make("span", { textContent: button.label }));
  if (button.help) element.append(make("small", { textContent: button.help }));
  element.className = chip ? "chip" : `button small ${button.style}`;
  element.dataset.command = button.command;
  element.onclick = (event) => {
    if (element.hasAttribute("aria-busy")) return;
    Log.byKey = event.detail === 0;
    press(post, button, element);
  };
  return element;
}

// Things to choose one of, as chips, or one a line where they are explained; many of them can be searched.
export function choices(post, press) {
  const chips = post.menu.map((button) => pressable(post, button, press, true));
  const box = make("div", { className: "chips menu" }, ...chips);
  box.classList.toggle("explained", post.menu.some((button) => button.help));
  if (chips.length <= MANY) return box;
  const search = make("input", { type: "search", className: "search", placeholder: `Search ${chips.length} choices` });
  search.setAttribute("aria-label", "Search the choices");
  search.oninput = () => {
    const wanted = search.value.trim().toLowerCase();
    for (const chip of chips) chip.hidden = !chip.textContent.toLowerCase().includes(wanted);
  };
  search.onkeydown = (event) => {
    const left = chips.filter((chip) => !chip.hidden);
    if (event.key === "Enter" && left.length === 1) left[0].click();
  };
  return make("div", { className: "long-menu" }, search, box);
}

export async function paint(image, picture) {
  const url = `${picture.url}?theme=${theme.boards}`;
  if (!picture.private) { image.src = url; return; }
  try {
    const source = await net.picture(url);
    if (image.src) URL.revokeObjectURL(image.src);
    image.src = source;
  } catch {
    image.classList.add("broken");
  }
}

export function enlarge(image) {
  $("zoom-image").src = image.src;
  $("zoom-image").alt = image.alt;
  $("zoom-words").textContent = image.alt;
  const zoom = $("zoom");
  zoom.onclick = (event) => { if (event.target === zoom || event.target === $("zoom-image")) zoom.close(); };
  zoom.showModal();
}

// The match that a message is about.
export function codeOf(post) {
  for (const { command } of [...post.buttons, ...post.menu]) {
    const found = /#([A-Z0-9]+)/.exec(command);
    if (found) return found[1];
  }
  return null;
}

// The version of a match for which a message was made; undefined if it names none.
export function versionOf(post, code) {
  const found = [...post.buttons, ...post.menu].map(({ command }) => /#([A-Z0-9]+)@(\d+)/.exec(command));
  const own = found.filter((one) => one?.[1] === code).map((one) => Number(one[2]));
  return own.length ? Math.max(...own) : undefined;
}

// A text in pieces. Lines that begin with a hyphen are a list.
// The same as plain text, for notices.
export function plainly(post) {
  const say = (part) => {
    if (part.kind === "break") return "\n";
    return part.kind === "when" ? spoken(part.at) : part.name ?? part.text ?? part.url ?? "";
  };
  return post.text ? post.text.map(say).join("") : post.plain;
}

export function words(parts, me) {
  const lines = [[]];
  for (const part of parts) {
    if (part.kind === "break") lines.push([]);
    else lines.at(-1).push(part);
  }
  const text = make("div", { className: "text" });
  let list = null;
  for (const line of lines) {
    const start = line[0];
    const bullet = start?.kind === "plain" && /^[-•] /.test(start.text);
    if (bullet) {
      if (!list) { list = make("ul"); text.append(list); }
      list.append(make("li", {}, ...[{ ...start, text: start.text.slice(2) }, ...line.slice(1)].map((part) => piece(part, me))));
      continue;
    }
    list = null;
    if (line.length === 0) continue;
    if (line.length === 1 && line[0].kind === "block") text.append(piece(line[0], me));
    else {
      let paragraph = make("p");
      for (const part of line) {
        if (part.kind === "block") { text.append(paragraph, piece(part, me)); paragraph = make("p"); }
        else paragraph.append(piece(part, me));
      }
      if (paragraph.hasChildNodes()) text.append(paragraph);
    }
  }
  return text;
}

function piece(part, me) {
  switch (part.kind) {
    case "bold": return make("b", { textContent: part.text });
    case "code": {
      const code = make("code", { textContent: part.text });
      // Checksums are shown cut; they can be copied whole, and read when pointed at.
      if (part.text.length > 40 && !/\s/.test(part.text)) { code.className = "long"; code.title = part.text; }
      return code;
    }
    case "block": return make("pre", { textContent: part.text, tabIndex: 0 });
    case "person": return make("span", { className: part.id === me ? "person you" : "person", textContent: part.name });
    case "link": return make("a", { href: part.url, textContent: part.url, target: "_blank", rel: "noopener noreferrer" });
    case "when": return when(part.at);
    default: return document.createTextNode(part.text ?? "");
  }
}

export function download(file) {
  const url = URL.createObjectURL(new Blob([file.content], { type: "application/json" }));
  return make("a", { className: "file", href: url, download: file.name }, icon("M10 3v10M6 9l4 4 4-4M4 17h12"),
    make("span", { textContent: file.name }), make("small", { textContent: `${Math.ceil(file.content.length / 1024)} kB` }));
}
