import { describe, expect, it } from 'vitest';
import { containsUrl, deriveNameFromEmail, isEmail } from './text-rules.ts';

it.each(['a@b.co', 'first.last+tag@sub.example.nz', 'ü@b.de'])('accepts the email address %s', (text) => {
  expect(isEmail(text)).toBe(true);
});

it.each(['abc', 'a@b', 'a b@c.d', '@b.co', 'a@', '', `${'a'.repeat(250)}@b.co`])('rejects the email address %j', (text) => {
  expect(isEmail(text)).toBe(false);
});

it.each([
  ['mia.tane@example.com', 'mia tane'],
  ['olivia@example.com', 'olivia'],
])('derives a name without a URL from the email address %s: %s', (email, name) => {
  expect(deriveNameFromEmail(email)).toBe(name);
  expect(containsUrl(deriveNameFromEmail(email))).toBe(false);
});

describe('finds a URL that a mail client would link in', () => {
  it.each([
    'https://evil.example/x',
    'Pay at ftp://evil',
    'www.evil',
    'WWW.EVIL.COM',
    'evil.example',
    'Your account is locked - go to evil.example',
    'Call evil.co.nz now',
    'Smith (evil.com)',
    'mail me@evil.com',
    'evil.xn--p1ai',
    'пример.рф',
    'उदाहरण.भारत',
    'x.com',
    'X.COM',
    'dr.jones.example',
    'my-dr.example',
    'Amazon.com',
    'evil．example',
    'evil。example',
    'evil․example',
    'evil.\u200Bexample',
    'ftp:\u200B//evil',
    'Go to 203.0.113.9',
    'Go to 💩.la',
    'i❤️.ws',
    '👍🏽.to',
    '👩‍🔧.ws',
    '💩a.Evil',
    'é́vil.ws',
    'münchen.de',
  ])('%j', (text) => {
    expect(containsUrl(text)).toBe(true);
  });
});

describe('finds no URL in names of people and firms such as', () => {
  it.each([
    'St. John',
    'J.R. Smith',
    'J.Smith',
    'J.R.Smith',
    'Dr.Jones',
    'St.John Plumbing',
    'Smith & Co.Ltd',
    'A.B.C. Plumbing Ltd.',
    'Smith & Co.',
    'No.1 Plumbing',
    'O.K. Drains',
    'U.S.A',
    'Smith...and Sons',
    'Smith / Sons: Plumbing',
    'Plumbing 24/7 (Auckland)',
    'Version 2.0 Builders',
    'Zoë Ōtākou',
    '山田 太郎',
    'مریم',
    "O'Sullivan-Li Jr.",
    '',
    'Happy Pipes 🔧. Call us',
    'Drains 💧',
    'Smith ★ Sons',
  ])('%j', (text) => {
    expect(containsUrl(text)).toBe(false);
  });
});
