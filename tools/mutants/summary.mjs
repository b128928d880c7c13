/**
 * Describes the results of a run's mutants.
 */

/** @typedef {import('./find-mutants.mjs').Mutant & { outcome: string, by?: string | undefined }} Tried */

/** Folders that are counted separately, most specific first. */
const areas = ['engine/language/edit', 'engine/language', 'engine/runtime/kernel', 'engine/runtime/flow'];

/**
 * Lists the mutants that no test detected, then the percentage of the others, by folder and in total. @param {readonly
 * Tried[]} tried @param {number} seed
 */
export function describeTried(tried, seed) {
  const missed = tried.filter((mutant) => !isNoticed(mutant));
  const lines = missed.map(
    ({ outcome, file, line, kind, mutated }) => `${outcome}  ${file}:${line}  ${kind}  ${oneLine(mutated)}`,
  );
  const byArea = areas.flatMap((area) => {
    const those = tried.filter(({ file }) => areaOf(file) === area);
    return those.length === 0 ? [] : [`${area}: ${shareOf(those)}`];
  });
  return [...lines, ...byArea, `All: ${shareOf(tried)}, seed ${seed}`].join('\n');
}

/** @param {string} file */
function areaOf(file) {
  return areas.find((area) => file.startsWith(`${area}/`));
}

/** Returns whether tests fail with the mutant, or never end. @param {Tried} mutant */
export function isNoticed({ outcome }) {
  return outcome === 'killed' || outcome === 'timed out';
}

/** @param {readonly Tried[]} tried */
function shareOf(tried) {
  const noticed = tried.filter(isNoticed).length;
  const counts = ['killed', 'timed out', 'survived', 'not reached'].map(
    (name) => `${tried.filter(({ outcome }) => outcome === name).length} ${name}`,
  );
  return `${((100 * noticed) / tried.length).toFixed(1)} % of ${tried.length} detected (${counts.join(', ')})`;
}

/** @param {string} text */
function oneLine(text) {
  return text.replace(/\s+/g, ' ').slice(0, 80);
}
