/** The three parts of `#rrggbb` or `#rgb`; null for a colour that is written otherwise. */
function partsOf(color: string): readonly number[] | null {
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(color);
  const full =
    short === null
      ? color
      : `#${short
          .slice(1)
          .map((digit) => digit + digit)
          .join('')}`;
  const parts = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(full)?.slice(1);
  return parts?.map((part) => Number.parseInt(part, 16)) ?? null;
}

/** So much of the one over the other, as programs understand it that know no `color-mix`; `over` where it cannot be told. */
export function mixColors(over: string, under: string, part: number): string {
  const [top, ground] = [partsOf(over), partsOf(under)];
  if (top === null || ground === null) return over;
  const mixed = top.map((value, index) => Math.round(value * part + (ground[index] ?? 0) * (1 - part)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
