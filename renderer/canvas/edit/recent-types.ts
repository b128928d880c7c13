/**
 * The node types that were added last, in this window.
 */
const most = 5;
let recent: readonly string[] = [];

export function noteRecent(type: string): void {
  recent = [type, ...recent.filter((known) => known !== type)].slice(0, most);
}

/** The last first. */
export function recentTypes(): readonly string[] {
  return recent;
}
