// Moments, and how far away they are.

const units = [["d", 86_400_000], ["h", 3_600_000], ["min", 60_000], ["s", 1000]];

// "in 2 d 4 h", "3 min ago".
export function distance(at, now = Date.now()) {
  const away = Math.abs(at - now);
  const first = units.findIndex(([, length]) => away >= length);
  if (first < 0) return "now";
  const [unit, length] = units[first];
  let text = `${Math.floor(away / length)} ${unit}`;
  const next = units[first + 1];
  const rest = next ? Math.floor((away % length) / next[1]) : 0;
  if (rest > 0 && first < 2 && away / length < 4) text += ` ${rest} ${next[0]}`;
  return at > now ? `in ${text}` : `${text} ago`;
}

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
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
  element.textContent = element.dataset.length === "short" ? distance(at) : `${moment(at)} (${distance(at)})`;
}

export function keepTimes() {
  setInterval(() => { for (const element of document.querySelectorAll("time[data-at]")) write(element); }, 10_000);
}
