// Moments, and how far away they are.

const units = [["d", "day", 86_400_000], ["h", "hour", 3_600_000], ["min", "minute", 60_000], ["s", "second", 1000]];

// "2 days 4 hours"; in brief "2 d 4 h".
function span(away, brief) {
  const first = units.findIndex(([, , length]) => away >= length);
  if (first < 0) return "";
  const say = (count, [sign, name]) => (brief ? `${count} ${sign}` : `${count} ${name}${count === 1 ? "" : "s"}`);
  const [length, next] = [units[first][2], units[first + 1]];
  const text = say(Math.floor(away / length), units[first]);
  const rest = next ? Math.floor((away % length) / next[2]) : 0;
  return rest > 0 && first < 2 && away / length < 4 ? `${text} ${say(rest, next)}` : text;
}

// "in 2 d 4 h", "3 min ago".
function distance(at, now = Date.now()) {
  const text = span(Math.abs(at - now), true);
  if (!text) return "now";
  return at > now ? `in ${text}` : `${text} ago`;
}

// "Sat, Nov 28, 15:00 (9 days)"; of what is over just the moment.
export function spoken(at, now = Date.now()) {
  const left = at > now ? span(at - now, false) : "";
  return left ? `${moment(at)} (${left})` : moment(at);
}

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short" });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "short" });

// A time of day, with the day if it isn't today.
export function moment(at) {
  const date = new Date(at);
  const today = date.toDateString() === new Date().toDateString();
  return today ? clock.format(date) : `${day.format(date)}, ${clock.format(date)}`;
}

// An element that tells a moment and how far away it is, and keeps telling.
export function when(at, length = "long") {
  const element = document.createElement("time");
  element.dateTime = new Date(at).toISOString();
  element.title = whole.format(new Date(at));
  element.dataset.at = at;
  element.dataset.length = length;
  write(element);
  return element;
}

function write(element) {
  const at = Number(element.dataset.at);
  element.textContent = element.dataset.length === "short" ? distance(at) : spoken(at);
}

export function keepTimes() {
  setInterval(() => { for (const element of document.querySelectorAll("time[data-at]")) write(element); }, 10_000);
}
