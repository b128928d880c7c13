export interface TextFacts {
  readonly encoding: 'UTF-8' | 'UTF-8 with BOM';
  readonly lineEnds: 'LF' | 'CRLF' | 'CR' | 'mixed line ends';
}

/** How a text is kept on the disk, as it stays when it is saved. A text of one line counts as LF. */
export function textFacts(text: string): TextFacts {
  // Each ends at the first one found: this is asked with every letter that is typed, also in a large text.
  const found = [
    ...(/(?<!\r)\n/.test(text) ? (['LF'] as const) : []),
    ...(text.includes('\r\n') ? (['CRLF'] as const) : []),
    ...(/\r(?!\n)/.test(text) ? (['CR'] as const) : []),
  ];
  return {
    encoding: text.startsWith('\ufeff') ? 'UTF-8 with BOM' : 'UTF-8',
    lineEnds: found.length > 1 ? 'mixed line ends' : (found[0] ?? 'LF'),
  };
}
