/** Returns the separator that occurs most in the header. Spreadsheets write others than a comma in many countries. */
export function delimiterOf(text: string): string {
  const [header = ''] = text.split(/\r?\n|\r/, 1);
  const count = (sign: string): number => header.split(sign).length;
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best), ',');
}
