import { expect, it } from 'vitest';
import { buildDirectionsUrl, buildMailtoUrl, buildPhoneUrl, buildPrefilledMailtoUrl } from './contact-urls.ts';

it('keeps only digits and a leading plus in a phone link', () => {
  expect(buildPhoneUrl('+64 (21) 555-123')).toBe('tel:+6421555123');
  expect(buildPhoneUrl('021 555 123 ext 4')).toBe('tel:021555123');
  expect(buildPhoneUrl('ask the caretaker')).toBeNull();
});

it('escapes an email address that tries to inject headers', () => {
  expect(buildMailtoUrl('ana+pipes@example.com')).toBe('mailto:ana%2Bpipes@example.com');
  expect(buildMailtoUrl('a?bcc=evil@example.com')).toBe('mailto:a%3Fbcc%3Devil@example.com');
  expect(buildMailtoUrl('')).toBeNull();
});

it("escapes an email's subject and body", () => {
  expect(buildPrefilledMailtoUrl('ana@example.com', 'Invoice #1 & more', 'Hello,\nhttps://x.example/i?a=1&b=2')).toBe(
    'mailto:ana@example.com?subject=Invoice%20%231%20%26%20more&body=Hello%2C%0D%0Ahttps%3A%2F%2Fx.example%2Fi%3Fa%3D1%26b%3D2',
  );
  expect(buildPrefilledMailtoUrl('', 'Invoice', 'Hello')).toBeNull();
});

it('escapes the whole address in a directions URL', () => {
  expect(buildDirectionsUrl('Flat 2 & 3, 1 High St')).toBe(
    'https://www.google.com/maps/dir/?api=1&destination=Flat%202%20%26%203%2C%201%20High%20St',
  );
  expect(buildDirectionsUrl('  ')).toBeNull();
});
