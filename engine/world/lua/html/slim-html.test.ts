import { expect, test } from 'vitest';
import { slimHtml } from './slim-html.ts';

const body = (html: string) => /<body[^>]*>\n?([\s\S]*)<\/body>/.exec(slimHtml(html))?.[1]?.trim();

test('a page keeps its title, its useful meta properties and its content, indented', () => {
  const html = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="UTF-8"><meta property="og:Title" content="A &amp; &quot;B"><meta name="keywords" content="k">
<title class="x">Simple</title><style>b{}</style><link href="a.css"><script>hi()</script><base href="/"></head>
<body class="main" aria-label="Page" onload="x()">
  <!-- note -->
  <div class="content" data-x="1">Hello   World</div>
</body></html>`;
  expect(slimHtml(html)).toBe(
    [
      '<!DOCTYPE html>',
      '<html>',
      '  <head>',
      '    <meta property="og:Title" content="A &amp; &quot;B">',
      '    <title>Simple</title>',
      '  </head>',
      '  <body class="main" aria-label="Page">',
      '    <div class="content">Hello World</div>',
      '  </body>',
      '</html>',
    ].join('\n'),
  );
});

test('a fragment becomes a page, without an empty head', () => {
  expect(slimHtml('<p>x</p>')).toBe('<html>\n  <body>\n    <p>x</p>\n  </body>\n</html>');
});

test('removes elements that are empty or contain only empty ones, and keeps the others', () => {
  expect(body('<div><p> <!-- c --> </p><div><span></span><svg><path/></svg></div></div><section>x</section>')).toBe(
    '<section>x</section>',
  );
  expect(body('<td></td><h2></h2><button></button>')).toBe('<h2></h2>\n    <button></button>');
});

test('text shares a line with inline elements and keeps the space between words', () => {
  expect(body('<p>a <b style="x">bold</b><span> </span><i>it</i> &lt;b&gt; <br>c</p>')).toBe(
    '<p>a <b>bold</b> <i>it</i> &lt;b&gt; <br>c</p>',
  );
  expect(body('one <a href="/c?a=1&amp;b" target="t"><div>Card</div></a> two')).toBe(
    ['one', '<a href="/c?a=1&amp;b">', '      <div>Card</div>', '    </a>', '    two']
      .join('\n')
      .replaceAll('\n<', '\n    <'),
  );
});

test('preformatted text keeps its spaces', () => {
  expect(body('<pre id="p">a\n   <b>b</b>\n\nc<script>x</script><br></pre>')).toBe('<pre>a\n   <b>b</b>\nc<br></pre>');
});

test('keeps older doctypes', () => {
  expect(slimHtml('<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://x/y"><p>a').split('\n')[0]).toBe(
    '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://x/y">',
  );
  expect(slimHtml('<!DOCTYPE html SYSTEM "about:legacy-compat"><p>a').split('\n')[0]).toBe(
    '<!DOCTYPE html SYSTEM "about:legacy-compat">',
  );
});
