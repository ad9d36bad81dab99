// The table: the match that the guest has opened, with its board, whose turn it is, the clocks, the hand, and what is
// being picked. It stays with its match, whatever is said elsewhere, and follows it as it goes on.

import { $, face, icon, make, stored } from "./dom.js";
import { net } from "./net.js";
import { clock } from "./clocks.js";
import { theme } from "./theme.js";
import { choices, codeOf, download, enlarge, paint, pressable, versionOf, words } from "./log.js";

const LOCK = "M5 9h10v8H5zM7 9V6a3 3 0 0 1 6 0v3";

export class Table {
  // `again` asks a line anew; `name` tells a game's name; `changed` hears when another match is opened or none.
  constructor({ me, press, again, name, changed }) {
    Object.assign(this, { me, press, again, name, changed, busy: 0, code: null, match: null, board: null, hand: null, turns: new Map(), picked: null, asked: 0 });
    $("close-table").onclick = () => this.close();
  }

  // Opens a match. What was picked in another one goes.
  async open(code) {
    if (this.code !== code) {
      Object.assign(this, { code, match: null, board: null, hand: null, drawn: null });
      this.pick(null);
      $("table-board").replaceChildren();
      $("table-hand").replaceChildren();
      $("table-scroll").scrollTop = 0;
    }
    stored.session("table", code);
    this.changed();
    await this.refresh();
  }

  close() {
    this.code = null;
    this.match = null;
    this.pick(null);
    stored.session("table", null);
    this.changed();
  }

  get isOver() { return this.match !== null && !["open", "running"].includes(this.match.stage); }

  // Reads the match anew. Of several readings under way the last one counts.
  async refresh() {
    const { code } = this;
    if (!code) return;
    const asked = this.asked += 1;
    let found;
    try { found = await net.get(`/api/matches/${encodeURIComponent(code)}`); } catch (error) {
      if (error.status === 404 && this.code === code) this.close();
      return;
    }
    if (asked !== this.asked || code !== this.code) return;
    Object.assign(this, { match: found.match, board: found.board, hand: found.hand });
    this.draw();
    if (!this.isStale() || this.busy) return;
    // Somebody else has acted meanwhile: what can be picked is asked anew.
    const { asked: line } = this.picked.reply;
    if (this.match.your_turn && line.startsWith("moves ")) this.again(line.replace(/@\d+/, `@${this.match.version}`));
    else this.pick(null);
  }

  isStale() { return Boolean(this.picked && this.match && versionOf(this.picked, this.code) < this.match.version); }

  // While the guest acts, what they picked stays until the answer is there.
  async during(act) {
    this.busy += 1;
    try { return await act(); } finally {
      this.busy -= 1;
      if (!this.busy && this.isStale()) this.pick(null);
    }
  }

  // A match has been heard of: a message about it, or the list of matches.
  hear(code, version) {
    if (code === this.code && (version === undefined || version !== this.match?.version)) this.refresh();
  }

  // The last public message of a match tells what has just happened and has buttons of its own.
  note(post) {
    const code = post.picture?.match;
    if (!code || post.private || post.reply) return;
    const known = this.turns.get(code);
    if (!known || known.cursor <= post.cursor) this.turns.set(code, post);
  }

  // What the boards of a match tell of it; nothing if there was none.
  stageOf(code) {
    const turn = this.turns.get(code);
    return turn && { stage: "running", version: versionOf(turn, code) ?? 0 };
  }

  draw() {
    const { match, board } = this;
    const turn = this.turns.get(this.code);
    $("table-name").textContent = this.name(match.game);
    $("table-code").textContent = `#${match.code}`;
    $("table").classList.toggle("awaited", match.your_turn);
    $("table").classList.toggle("with-hand", Boolean(this.hand));
    this.drawClocks();
    this.drawBoard();
    show($("table-hand"), this.hand?.picture, "Your hand");
    $("table-said").replaceChildren(words((turn ?? board).text, this.me()));
    const first = this.drawFirst(turn);
    const seen = (button) => !/^(board|hand) /.test(button.command) || (button.command.startsWith("hand ") && !this.hand);
    // What the message offers may be of an earlier moment; the board has been read just now.
    const fresh = (button) => !/@\d+/.test(button.command) || button.command.includes(`@${match.version}`);
    const own = board.buttons.map((button) => ({ post: board, button }));
    const told = (turn?.buttons ?? []).filter(fresh).map((button) => ({ post: turn, button }));
    const known = new Set(own.map(({ button }) => button.label));
    const all = [...own.filter(({ button }) => button.style === "primary"), ...told.filter(({ button }) => !known.has(button.label)), ...own.filter(({ button }) => button.style !== "primary")];
    const shown = all.filter(({ button }) => seen(button) && !(first && asksFirst(button)));
    // Buttons that stay the same stay where they are: a finger may be on its way.
    const offered = JSON.stringify(shown.map(({ button }) => button));
    if (this.offered === offered) return;
    this.offered = offered;
    $("table-buttons").replaceChildren(...shown.map(({ post, button }) => pressable(post, button, this.press)));
  }

  // Where the call itself offers the first step, it is on the table too, in place of the button that would ask for it.
  // True if it is.
  drawFirst(turn) {
    const { match } = this;
    const post = match.your_turn && turn?.menu.length && versionOf(turn, match.code) === match.version ? turn : null;
    const offered = JSON.stringify(post && [post.id, post.menu]);
    if (this.offeredFirst !== offered) {
      this.offeredFirst = offered;
      $("table-first").hidden = !post;
      $("table-first").replaceChildren(...(post ? [choices(post, this.press)] : []));
    }
    return Boolean(post);
  }

  // While a move is picked, the board shows what is picked so far.
  drawBoard() {
    const picture = this.picked && this.marks(this.picked) ? this.picked.picture : this.board.picture;
    if (this.drawn === `${picture?.url} ${theme.boards}`) return;
    this.drawn = `${picture?.url} ${theme.boards}`;
    // A table that waits for players has no board yet.
    $("table-board").hidden = !picture;
    show($("table-board"), picture, "The board");
  }

  // Whether an answer's picture is the board with what is picked.
  marks(post) { return post.picture?.match === this.code && versionOf(post, this.code) !== undefined; }

  drawClocks() {
    const { match } = this;
    const seats = match.clocks.length ? match.clocks : match.players.map((player) => ({ player, left: null, running: false }));
    $("table-clocks").replaceChildren(...seats.map(({ player, left, running }) => {
      const thinks = match.thinking.some(({ id }) => id === player.id);
      const seat = make("li", { className: "seat" }, face(make("span"), player.name),
        make("span", { className: "seat-name", textContent: player.id === this.me() ? "You" : player.name }));
      seat.firstChild.setAttribute("aria-hidden", "true");
      seat.classList.toggle("to-move", running && match.running);
      if (left !== null && match.running) seat.append(clock(left, running && !match.paused));
      else if (thinks) seat.append(make("span", { className: "clock", textContent: "thinking …" }));
      return seat;
    }));
  }

  // Whether an answer belongs here: it goes on with what is picked, or was asked for at this table.
  takes(post) {
    if (!this.code) return false;
    const { under } = post.reply;
    if (under && [this.picked?.id, this.board?.id, this.turns.get(this.code)?.id].includes(under)) return true;
    return codeOf(post) === this.code && post.menu.length + post.buttons.length > 0;
  }

  // Shows what can be picked, in place of what could be picked before.
  pick(post, byKey = false) {
    const picker = $("picker");
    const focused = picker.contains(document.activeElement);
    this.picked = post;
    picker.hidden = !post;
    picker.classList.toggle("only-you", Boolean(post));
    picker.dataset.id = post?.id ?? "";
    if (this.match) this.drawBoard();
    $("dock").classList.toggle("picking", Boolean(post));
    if (!post) {
      picker.replaceChildren();
      if (focused) $("table-buttons").querySelector("button")?.focus({ preventScroll: true });
      return;
    }
    const away = make("button", { type: "button", className: "icon close", textContent: "×", onclick: () => this.pick(null) });
    away.setAttribute("aria-label", "Put this away");
    const parts = [make("div", { className: "only-head" }, icon(LOCK), make("span", { textContent: "Only you see this" })), words(post.text, this.me())];
    if (post.picture && !this.marks(post)) {
      const box = make("div", { className: "picker-picture" });
      show(box, post.picture, "What it looks like");
      parts.push(box);
    }
    if (post.file) parts.push(download(post.file));
    if (post.menu.length) parts.push(choices(post, this.press));
    if (post.buttons.length) parts.push(make("div", { className: "buttons" }, ...post.buttons.map((button) => pressable(post, button, this.press))));
    picker.replaceChildren(away, ...parts);
    picker.scrollTop = 0;
    if (focused || byKey) picker.querySelector(".chip, .button")?.focus({ preventScroll: true });
  }

  // Puts away what was good only until the next command.
  forgetPassing() { if (this.picked?.reply.passing) this.pick(null); }

  repaint() {
    if (!this.match) return;
    this.draw();
    if (this.picked) this.pick(this.picked);
  }
}

// Whether a button asks for the first step of a move, and for nothing else.
const asksFirst = ({ command }) => /^moves #[A-Z0-9]+@\d+$/.test(command);

// Shows a picture in a box; the one before stays until the new one is there, so that nothing jumps.
function show(box, picture, label) {
  if (!picture) { box.replaceChildren(); return; }
  const image = make("img", { alt: picture.alt, decoding: "async" });
  const button = make("button", { type: "button", className: "picture", title: "Enlarge", onclick: () => enlarge(image) }, image);
  button.setAttribute("aria-label", `${label}. ${picture.alt}`);
  const asked = box.asked = Symbol(label);
  const place = () => { if (box.asked === asked) box.replaceChildren(button); };
  image.onload = () => { image.classList.add("loaded"); place(); };
  image.onerror = () => { image.classList.add("broken"); place(); };
  paint(image, picture);
}
