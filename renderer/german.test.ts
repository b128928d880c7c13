import { expect, test } from 'vitest';

/** Paths of the texts in a table, such as `menu.open`. */
function keysOf(table: object, prefix = ''): string[] {
  return Object.entries(table).flatMap(([key, value]) =>
    typeof value === 'object' ? keysOf(value, `${prefix}${key}.`) : [`${prefix}${key}`],
  );
}

const english = import.meta.glob<{ text: object }>('./**/text.ts');
const german = import.meta.glob<{ german: object }>('./**/text.de.ts');

test('German has every text of every area', async () => {
  const areas = Object.keys(english).map((file) => file.slice(0, -'text.ts'.length));
  expect(areas.length).toBeGreaterThan(30);
  const missing: string[] = [];
  for (const area of areas) {
    const table = await english[`${area}text.ts`]?.();
    const translation = await german[`${area}text.de.ts`]?.();
    const translated = new Set(keysOf(translation?.german ?? {}));
    const keys = keysOf(table?.text ?? {});
    missing.push(...keys.filter((key) => !translated.has(key)).map((key) => `${area}${key}`));
  }
  expect(missing).toEqual([]);
});
