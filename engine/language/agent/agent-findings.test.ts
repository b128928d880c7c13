import { describe, expect, test } from 'vitest';
import { fence3, fence4, file } from '../../testing/agent-text.ts';
import { parseAgent } from './parse-agent.ts';

describe('warnings', () => {
  function warningsOf(...lines: string[]) {
    const { doc, diagnostics } = parseAgent(file(...lines));
    expect(doc).not.toBeNull();
    return diagnostics.map(({ code, severity, range }) => [code, severity, range.line]);
  }

  test('reports a script or options without their fence', () => {
    expect(warningsOf('# Data', 'return 1', '# Options', `${fence3}yaml`, fence3)).toEqual([
      ['agent.missing-fence', 'warning', 1],
      ['agent.missing-fence', 'warning', 3],
    ]);
  });

  test('reports a fence that is never closed', () => {
    expect(warningsOf('# User', fence4, 'x', '# Data')).toEqual([['agent.unclosed-fence', 'warning', 2]]);
  });

  test('reports a heading that resembles a known one, but not a comment section', () => {
    expect(warningsOf('# Description', 'Free text', '# Befor All', 'x')).toEqual([
      ['agent.unknown-heading', 'warning', 3],
    ]);
  });

  test('reports only the first of several unknown headings that cut a prompt', () => {
    expect(warningsOf('# User', 'x', '# Notes', 'y', '# Remarks')).toEqual([['agent.prompt-cut', 'warning', 3]]);
  });

  test('reports invalid prompt options, unless they are a template', () => {
    expect(warningsOf('# User `cache`', '# User `cache = 1`', '# User `{{data.x}}`', '# User `ttl = 1`')).toEqual([
      ['agent.bad-prompt-option', 'warning', 1],
      ['agent.bad-prompt-option', 'warning', 2],
    ]);
  });
});
