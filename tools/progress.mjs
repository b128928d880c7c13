/**
 * Tells people that something is going on: nothing for work under two seconds, then what runs and for how long.
 * A terminal gets one line that is rewritten, a log plain lines. All of it goes to stderr.
 */
const quietMs = 2_000;
const terminalStepMs = 1_000;
const logStepMs = 15_000;

const isTerminal = process.stderr.isTTY === true;
/** @type {Map<symbol, { label: string, startedAt: number, saidAt: number, tellsEnd: boolean }>} */
const running = new Map();
/** @type {NodeJS.Timeout | undefined} */
let timer;

/** @param {number} since epoch milliseconds */
function elapsedSeconds(since) {
  return Math.round((Date.now() - since) / 1000);
}

function clearLine() {
  if (isTerminal) process.stderr.write('\r\u001b[K');
}

/**
 * Prints a line without tearing the progress line.
 * @param {string} line
 */
export function say(line) {
  clearLine();
  process.stderr.write(`${line}\n`);
}

function drawOnTerminal() {
  const slow = [...running.values()].filter((job) => Date.now() - job.startedAt >= quietMs);
  if (slow.length === 0) return;
  const line = slow.map((job) => `${job.label} … ${elapsedSeconds(job.startedAt)} s`).join(' · ');
  clearLine();
  process.stderr.write(line.slice(0, (process.stderr.columns ?? 80) - 1));
}

function writeToLog() {
  for (const job of running.values()) {
    const isDue = job.saidAt === 0 ? Date.now() - job.startedAt >= quietMs : Date.now() - job.saidAt >= logStepMs;
    if (!isDue) continue;
    job.saidAt = Date.now();
    say(`${job.label} … ${elapsedSeconds(job.startedAt)} s`);
  }
}

/** @param {symbol} key */
function finish(key) {
  const job = running.get(key);
  running.delete(key);
  if (running.size === 0) clearInterval(timer);
  clearLine();
  if (job?.tellsEnd && Date.now() - job.startedAt >= quietMs) say(`${job.label}: ${elapsedSeconds(job.startedAt)} s`);
}

/**
 * Does the work and shows that it runs, when it is slow.
 * @template T
 * @param {string} label what is being done, such as `Installing packages`
 * @param {() => Promise<T>} work
 * @param {{ tellsEnd: boolean }} [options] whether slow work gets a line with its time at the end
 * @returns {Promise<T>}
 */
export async function withProgress(label, work, { tellsEnd } = { tellsEnd: true }) {
  const key = Symbol(label);
  if (running.size === 0) timer = setInterval(isTerminal ? drawOnTerminal : writeToLog, terminalStepMs);
  running.set(key, { label, startedAt: Date.now(), saidAt: 0, tellsEnd });
  try {
    return await work();
  } finally {
    finish(key);
  }
}
