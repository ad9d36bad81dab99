// The move that is being made by touch: what is touched so far, what can be touched next, and what is chosen beside the
// board because it is no place on it. The room understands the touches; a finished move is a command like any other.

import { make } from "./dom.js";
import { net } from "./net.js";

const inRoom = (match, touched) => net.post(`/api/matches/${encodeURIComponent(match.code)}/touch`, touched);

export class Move {
  // `boards` show what can be touched, `panel` has the rest; `play` sends a command, `tell` says something brief, `stale`
  // hears that the match has gone on, `understand` asks the room what touches mean.
  constructor({ boards, panel, play, tell, stale, understand = inRoom }) {
    Object.assign(this, { boards, panel, play, tell, stale, understand, match: null, answer: null, line: Promise.resolve(), commands: new Set() });
  }

  // Begins anew when the match has gone on; nothing can be touched while others are to move.
  async begin(match) {
    const mine = match?.your_turn && match.running && !match.paused;
    const now = mine ? `${match.code}@${match.version}` : null;
    if (this.now === now) return;
    Object.assign(this, { now, match, answer: null });
    this.draw();
    if (!now) return;
    try { await this.ask([]); } catch (error) {
      // Whoever reads the match anew asks again.
      if (this.now === now) this.now = undefined;
      throw error;
    }
  }

  // Something was touched. One touch after the other is understood, however fast they come.
  spot(spot) { return this.then(() => this.touch(spot)); }
  choose(choice) { return this.then(() => (choice.command ? this.finish(choice.command) : this.ask([...this.answer.touches, { word: choice.word }]))); }
  back() { return this.then(() => { if (this.answer?.touches.length) return this.ask(this.answer.touches.slice(0, -1)); }); }

  then(act) {
    this.line = this.line.then(act).catch((error) => this.tell(error.message, true));
    return this.line;
  }

  async touch({ word, says }) {
    if (!this.answer) { this.tell(`${says}.`); return; }
    const { touches, spots, command } = this.answer;
    const again = touches.findIndex((touch) => touch.spot === word);
    const open = spots.find((spot) => spot.word === word);
    // Touched twice, what is all of a move is played, and anything else is put back, unless it can be meant twice.
    if (again >= 0 && !open) { await (command ? this.finish(command) : this.ask(touches.toSpliced(again, 1))); return; }
    if (open?.command) { await this.finish(open.command); return; }
    await this.ask([...touches, { spot: word }]);
    if (!this.answer) return;
    const heard = this.answer.touches.some((touch) => touch.spot === word);
    this.tell(heard ? "" : `${says}.`);
    if (heard && this.answer.touches.length > 1 && this.answer.command) await this.finish(this.answer.command);
  }

  async ask(touches) {
    const { now, match } = this;
    if (!now) return;
    const answer = await this.understand(match, { version: match.version, touches });
    if (this.now !== now) return;
    this.answer = answer.refused ? null : answer;
    this.draw();
    if (!answer.refused) return;
    if (touches.length) this.tell(answer.refused, true);
    this.stale();
  }

  async finish(command) {
    const { now } = this;
    this.commands.add(command);
    // Until the answer is there nothing else can be touched.
    this.answer = null;
    this.draw();
    await this.play(command);
    // What was refused can be tried in another way.
    if (this.now === now) await this.ask([]);
  }

  // Whether an answer only goes on with what is played by touch: the board and this panel say it already.
  goesOn(post) { return this.commands.has(post.reply.asked) && post.reply.asked.startsWith("move ") && post.menu.length > 0; }

  // What something that was touched is called, in short: as its owner sees it, if they do.
  name(word) {
    const spot = this.boards.flatMap(({ spots }) => spots).findLast((one) => one.word === word);
    return spot ? spot.says.split(",")[0] : word;
  }

  draw() {
    const { answer, panel } = this;
    const open = new Map((answer?.spots ?? []).map((spot) => [spot.word, spot]));
    const picked = new Set((answer?.touches ?? []).flatMap((touch) => touch.spot ?? []));
    for (const board of this.boards) board.light(open, picked);
    panel.hidden = !answer;
    panel.dataset.now = answer ? `${this.now} ${JSON.stringify(answer.touches)}` : "";
    const shown = JSON.stringify(answer && [answer.ask, answer.choices, answer.touches]);
    if (this.shown === shown) return;
    this.shown = shown;
    if (!answer) { panel.replaceChildren(); return; }
    const focused = panel.contains(document.activeElement);
    const chips = answer.choices.map((choice) => {
      const chip = make("button", { type: "button", className: "chip", onclick: () => this.choose(choice) }, make("span", { textContent: choice.label }));
      if (choice.help) chip.append(make("small", { textContent: choice.help }));
      chip.dataset.word = choice.word;
      if (choice.command) chip.dataset.plays = choice.command;
      return chip;
    });
    const box = make("div", { className: "chips menu" }, ...chips);
    box.classList.toggle("explained", answer.choices.some(({ help }) => help));
    const said = answer.touches.map((touch) => (touch.spot ? this.name(touch.spot) : touch.word)).join(", ");
    const back = answer.touches.length ? make("button", { type: "button", className: "button small back", textContent: "Back", onclick: () => this.back() }) : null;
    const ask = make("p", { className: "ask" }, ...(said ? [make("code", { textContent: said }), " "] : []), answer.ask);
    panel.replaceChildren(make("div", { className: "question" }, ask, back), ...(chips.length ? [box] : []));
    if (focused) panel.querySelector("button")?.focus({ preventScroll: true });
  }
}
