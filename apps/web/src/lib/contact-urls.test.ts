import { expect, it } from 'vitest';
import { directionsLink, emailLink, messageLink, phoneLink } from './contact-urls.ts';

it('dials only digits and a leading plus', () => {
  expect(phoneLink('+64 (21) 555-123')).toBe('tel:+6421555123');
  expect(phoneLink('021 555 123 ext 4')).toBe('tel:021555123');
  expect(phoneLink('ask the caretaker')).toBeNull();
});

it('keeps a hostile address from adding headers to the mail', () => {
  expect(emailLink('ana+pipes@example.com')).toBe('mailto:ana%2Bpipes@example.com');
  expect(emailLink('a?bcc=evil@example.com')).toBe('mailto:a%3Fbcc%3Devil@example.com');
  expect(emailLink('')).toBeNull();
});

it('starts a message, whatever stands in its text', () => {
  expect(messageLink('ana@example.com', 'Invoice #1 & more', 'Hello,\nhttps://x.example/i?a=1&b=2')).toBe(
    'mailto:ana@example.com?subject=Invoice%20%231%20%26%20more&body=Hello%2C%0D%0Ahttps%3A%2F%2Fx.example%2Fi%3Fa%3D1%26b%3D2',
  );
  expect(messageLink('', 'Invoice', 'Hello')).toBeNull();
});

it('asks for directions to the whole address', () => {
  expect(directionsLink('Flat 2 & 3, 1 High St')).toBe(
    'https://www.google.com/maps/dir/?api=1&destination=Flat%202%20%26%203%2C%201%20High%20St',
  );
  expect(directionsLink('  ')).toBeNull();
});
