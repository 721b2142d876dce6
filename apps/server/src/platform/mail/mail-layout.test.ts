import { expect, it } from 'vitest';
import { renderMail } from './mail-layout.ts';

const content = {
  recipient: 'ana@example.com',
  subject: 'Quote',
  intro: ['Dear <b>Ana</b> & "Ben",'],
  action: { label: 'View <quote>', url: 'https://work.example.com/q?a=1&b="2"' },
  closing: ['Thanks'],
};

it('escapes user input, so that it never becomes markup', () => {
  const { html } = renderMail(content);
  expect(html).toContain('Dear &lt;b&gt;Ana&lt;/b&gt; &amp; &quot;Ben&quot;,');
  expect(html).toContain('>View &lt;quote&gt;</a>');
  expect(html).toContain('href="https://work.example.com/q?a=1&amp;b=&quot;2&quot;"');
});

it('fits a phone screen', () => {
  expect(renderMail(content).html).toContain('<meta name="viewport" content="width=device-width,initial-scale=1">');
});

it('shows the company’s logo, if any, above the text', () => {
  const { html, text } = renderMail({ ...content, logoUrl: 'https://work.example.com/api/images/1?a="><script>' });
  expect(html).toContain('<img src="https://work.example.com/api/images/1?a=&quot;&gt;&lt;script&gt;" alt=""');
  expect(html.indexOf('<img')).toBeLessThan(html.indexOf('Dear'));
  expect(text).toBe(renderMail(content).text);
  expect(renderMail({ ...content, logoUrl: null }).html).not.toContain('<img');
});

it('renders the same content as plain text', () => {
  expect(renderMail(content).text).toBe(
    'Dear <b>Ana</b> & "Ben",\n\nView <quote>: https://work.example.com/q?a=1&b="2"\n\nThanks\n\nCallout',
  );
});

it('renders tables below the action button, escaped in HTML and indented in plain text', () => {
  const tables = [
    { title: 'Hot & cold', note: 'Two\nlines', rows: [{ label: '<b>Tap</b>', note: '2 × 5.00', amount: '$10.00', strong: true }] },
  ];
  const { html, text } = renderMail({ ...content, tables });
  expect(text).toContain('b="2"\n\nHot & cold\nTwo\nlines\n  <b>Tap</b> (2 × 5.00): $10.00\n\nThanks');
  expect(html).toContain('Hot &amp; cold');
  expect(html).toContain('Two<br>lines');
  expect(html).toMatch(/&lt;b&gt;Tap&lt;\/b&gt;<br><span[^>]*>2 × 5\.00<\/span><\/td><td[^>]*white-space:nowrap[^>]*>\$10\.00<\/td>/);
});

it('wraps long text in the amount column to fit a phone screen', () => {
  const rows = [{ label: 'Bank', amount: 'Australia and New Zealand Banking Group Limited', isText: true }];
  const { html } = renderMail({ ...content, tables: [{ title: 'Pay by bank transfer', rows }] });
  expect(html).toMatch(/<td[^>]*overflow-wrap:anywhere">Australia and/);
  expect(html).not.toContain('nowrap');
  // If the label could also wrap anywhere, the long text would squeeze it to the width of a letter.
  expect(html).not.toMatch(/overflow-wrap:anywhere">Bank/);
});

it('keeps line breaks within a paragraph', () => {
  expect(renderMail({ ...content, intro: ['One\nTwo <3'] }).html).toContain('One<br>Two &lt;3</p>');
});
