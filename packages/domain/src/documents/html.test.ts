import { expect, it } from 'vitest';
import { escapeHtml } from './html.ts';

it('escapes everything that could end a text or an attribute, and each character once', () => {
  expect(escapeHtml('<a href="x">Tom & Co</a> &lt;')).toBe('&lt;a href=&quot;x&quot;&gt;Tom &amp; Co&lt;/a&gt; &amp;lt;');
});
