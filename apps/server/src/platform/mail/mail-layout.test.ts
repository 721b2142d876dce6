import { expect, it } from 'vitest';
import { layOutMail } from './mail-layout.ts';

const content = {
  recipient: 'ana@example.com',
  subject: 'Quote',
  before: ['Dear <b>Ana</b> & "Ben",'],
  action: { label: 'View <quote>', url: 'https://work.example.com/q?a=1&b="2"' },
  after: ['Thanks'],
};

it('shows user input as text, never as markup', () => {
  const { html } = layOutMail(content);
  expect(html).toContain('Dear &lt;b&gt;Ana&lt;/b&gt; &amp; &quot;Ben&quot;,');
  expect(html).toContain('>View &lt;quote&gt;</a>');
  expect(html).toContain('href="https://work.example.com/q?a=1&amp;b=&quot;2&quot;"');
});

it('fits the screen of a phone', () => {
  expect(layOutMail(content).html).toContain('<meta name="viewport" content="width=device-width,initial-scale=1">');
});

it('shows a logo above the text, and only if there is one', () => {
  const { html, text } = layOutMail({ ...content, logoUrl: 'https://work.example.com/api/images/1?a="><script>' });
  expect(html).toContain('<img src="https://work.example.com/api/images/1?a=&quot;&gt;&lt;script&gt;" alt=""');
  expect(html.indexOf('<img')).toBeLessThan(html.indexOf('Dear'));
  expect(text).toBe(layOutMail(content).text);
  expect(layOutMail({ ...content, logoUrl: null }).html).not.toContain('<img');
});

it('says the same in plain text', () => {
  expect(layOutMail(content).text).toBe(
    'Dear <b>Ana</b> & "Ben",\n\nView <quote>: https://work.example.com/q?a=1&b="2"\n\nThanks\n\nCallout',
  );
});

it('shows lines of figures below the action, as text and as a table, without markup of theirs', () => {
  const tables = [
    { title: 'Hot & cold', note: 'Two\nlines', rows: [{ label: '<b>Tap</b>', note: '2 × 5.00', amount: '$10.00', strong: true }] },
  ];
  const { html, text } = layOutMail({ ...content, tables });
  expect(text).toContain('b="2"\n\nHot & cold\nTwo\nlines\n  <b>Tap</b> (2 × 5.00): $10.00\n\nThanks');
  expect(html).toContain('Hot &amp; cold');
  expect(html).toContain('Two<br>lines');
  expect(html).toMatch(/&lt;b&gt;Tap&lt;\/b&gt;<br><span[^>]*>2 × 5\.00<\/span><\/td><td[^>]*white-space:nowrap[^>]*>\$10\.00<\/td>/);
});

it('lets a long text in place of an amount break, so that it is no wider than a phone', () => {
  const rows = [{ label: 'Bank', amount: 'Australia and New Zealand Banking Group Limited', isText: true }];
  const { html } = layOutMail({ ...content, tables: [{ title: 'Pay by bank transfer', rows }] });
  expect(html).toMatch(/<td[^>]*overflow-wrap:anywhere">Australia and/);
  expect(html).not.toContain('nowrap');
  // Otherwise the long text would leave its label one letter's width.
  expect(html).not.toMatch(/overflow-wrap:anywhere">Bank/);
});

it('keeps the lines of a paragraph', () => {
  expect(layOutMail({ ...content, before: ['One\nTwo <3'] }).html).toContain('One<br>Two &lt;3</p>');
});
