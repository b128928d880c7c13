import { describe, expect, test } from 'vitest';
import { htmlToMarkdown } from './html-to-markdown.ts';

describe('blocks', () => {
  test('converts headings, paragraphs and lists', () => {
    const html =
      '<h1>Title</h1><p>Some <strong>bold</strong> text.</p><ul><li>Item 1</li><li>Item 2</li></ul><h3>Sub\n title</h3>';
    expect(htmlToMarkdown(html)).toBe('# Title\n\nSome **bold** text.\n\n- Item 1\n- Item 2\n\n### Sub title');
    expect(htmlToMarkdown('')).toBe('');
    expect(htmlToMarkdown('Hi <hr> there')).toBe('Hi\n\n* * *\n\nthere');
  });

  test('converts nested containers of any kind to paragraphs', () => {
    const html = '<div>\n<div><div>Hi</div></div><div></div> <div>there <b>you</b></div></div><x-box><p>in</p></x-box>';
    expect(htmlToMarkdown(html)).toBe('Hi\n\nthere **you**\n\nin');
  });

  test('keeps the title and removes scripts and styles', () => {
    const html =
      '<html><head><title>Demo</title><script>a()</script><style>b{}</style></head><body>Content<script>c()</script></body></html>';
    expect(htmlToMarkdown(html)).toBe('Demo\n\nContent');
  });

  test('converts nested lists, start numbers, and items with several blocks', () => {
    const html =
      '<ol start="9"><li>Nine<ul><li>a</li><li>b<ol><li>c</li></ol></li></ul></li><li><p>One</p><p>Two</p></li></ol>';
    expect(htmlToMarkdown(html)).toBe('9. Nine\n   - a\n   - b\n     1. c\n10. One\n\n    Two');
    expect(htmlToMarkdown('<ul><li>a</li><ul><li>b</li></ul></ul>')).toBe('- a\n- - b');
    expect(htmlToMarkdown('<ul><li></li></ul>')).toBe('');
  });

  test('converts quotes, including those around lists and code', () => {
    expect(htmlToMarkdown('<blockquote><p>One</p><ul><li>x</li></ul></blockquote>')).toBe('> One\n>\n> - x');
  });

  test('keeps the lines and language of code and uses a fence longer than any inside', () => {
    expect(htmlToMarkdown('<pre><code class="x language-lua">a  = 1\n\n  b</code></pre>')).toBe(
      '```lua\na  = 1\n\n  b\n```',
    );
    expect(htmlToMarkdown('<pre>```\nx\n```</pre>')).toBe('````\n```\nx\n```\n````');
    expect(htmlToMarkdown('<ul><li>Do<pre>a\n b</pre></li></ul>')).toBe('- Do\n\n  ```\n  a\n   b\n  ```');
  });
});

describe('tables', () => {
  test('tables have a header row, padded columns and a cell for each column', () => {
    const html =
      '<table><caption>Ages</caption><thead><tr><th>Name</th><th>Age</th></tr></thead><tr><td>Jo|hn</td><td>3<br>5</td><td>x</td></tr></table>';
    expect(htmlToMarkdown(html)).toBe(
      ['Ages', '', '| Name   | Age |   |', '| ------ | --- | - |', '| Jo\\|hn | 3 5 | x |'].join('\n'),
    );
  });

  test('treats tables without headings as layout', () => {
    expect(htmlToMarkdown('<table><tr><td>Alpha</td><td>Beta</td></tr></table>')).toBe('Alpha\n\nBeta');
  });

  test('adds an empty header row if the first row is not one', () => {
    expect(htmlToMarkdown('<table><tr><th>r</th><td>1</td></tr></table>')).toBe('|   |   |\n| - | - |\n| r | 1 |');
  });

  test('does not widen other cells for a very long one', () => {
    const md = htmlToMarkdown(`<table><tr><th>a</th></tr><tr><td>${'x'.repeat(500)}</td></tr></table>`);
    expect(md.split('\n')[0]?.length).toBe(84);
  });
});

describe('text', () => {
  test('keeps space outside of emphasis and does not double its markers', () => {
    expect(htmlToMarkdown('a <b> bold </b>b <i>it</i><b><strong>x</strong></b> <del>old</del><b> </b>')).toBe(
      'a **bold** b _it_**x** ~~old~~',
    );
    expect(htmlToMarkdown('It<i>al</i>ic')).toBe('It*al*ic');
    expect(htmlToMarkdown('<em>a</em>, <i>b</i><i>c</i> (<em>d <b>e</b></em>) <em>f</em>2')).toBe(
      '_a_, _b__c_ (_d **e**_) *f*2',
    );
  });

  test('collapses whitespace like browsers and keeps line breaks', () => {
    expect(htmlToMarkdown('<p>  Hi \n <br> there  <br><br>! </p>')).toBe('Hi  \nthere  \n  \n!');
  });

  test('converts links and images', () => {
    expect(htmlToMarkdown('<a href="/a (b)" title="A &quot;t&quot;">x</a>')).toBe('[x](</a (b)> "A \\"t\\"")');
    expect(htmlToMarkdown('<a href="/a(b)">x</a> <a>y</a><a href="/z"></a>')).toBe('[x](/a\\(b\\)) y');
    expect(htmlToMarkdown('<img src="i.png" alt="An\n[i]"><img alt="none">')).toBe('![An \\[i\\]](i.png)');
    expect(htmlToMarkdown('<a href="/c"><h3>Head</h3><p>Text</p></a>')).toBe('[Head Text](/c)');
  });

  test('converts code spans that contain backticks', () => {
    expect(htmlToMarkdown('<code>a</code> <code>a`b</code> <code>`x`</code><code></code>')).toBe(
      '`a` ``a`b`` `` `x` ``',
    );
  });

  test('escapes only text that would be markup', () => {
    expect(htmlToMarkdown('*a* 2 * 3 snake_case _x_ [1] `c` \\')).toBe(
      '\\*a\\* 2 * 3 snake_case \\_x\\_ \\[1\\] \\`c\\` \\\\',
    );
    expect(htmlToMarkdown('This &amp; that, 1 &lt; 2 &lt;b&gt; &amp;lt;')).toBe('This & that, 1 < 2 \\<b> \\&lt;');
    const lines = ['# a', '#a', '> q', '- l', '+ l', '* l', '1. n', '1.5', '---', '===', '-x'];
    expect(lines.map((line) => htmlToMarkdown(`<p>${line.replace('>', '&gt;')}</p>`))).toEqual([
      '\\# a',
      '#a',
      '\\> q',
      '\\- l',
      '\\+ l',
      '\\* l',
      '1\\. n',
      '1.5',
      '\\---',
      '\\===',
      '-x',
    ]);
  });
});

describe('hostile pages', () => {
  /** Time in milliseconds, the fastest of three runs, so that load on the system does not matter. */
  const timeOf = (html: string): number =>
    Math.min(
      ...Array.from({ length: 3 }, () => {
        const start = performance.now();
        htmlToMarkdown(html);
        return performance.now() - start;
      }),
    );

  test('line breaks in code take linear time', () => {
    expect(timeOf(`<pre>${'\n'.repeat(100_000)}x</pre>`)).toBeLessThan(1000);
  });

  test('nested elements are searched only once', () => {
    const inner = '<span>x</span>'.repeat(20_000);
    expect(timeOf(`${'<span>'.repeat(900)}${inner}<p>x</p>`)).toBeLessThan(2500);
  });

  test('accepts any number of table rows and backticks', () => {
    expect(htmlToMarkdown(`<table><tr><th>h</th></tr>${'<tr><td>x</td></tr>'.repeat(130_000)}</table>`)).toHaveLength(
      780_011,
    );
    expect(htmlToMarkdown(`<pre>${'` '.repeat(130_000)}</pre>`)).toHaveLength(260_008);
  });
});
