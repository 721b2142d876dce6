/** Mail clients turn any word with a dot inside into a link: letters, digits or emoji, the dot, and at least two letters, as in evil.example. */
const HOST = /[\p{L}\p{M}\p{N}\p{So}\p{Emoji_Modifier}][.。][\p{L}\p{M}]{2}/u;
const IP_ADDRESS = /\d+\.\d+\.\d+\.\d+/;

/** J.R.Smith, Dr.Jones, St.John, Smith & Co.Ltd: written so by people who leave out a space. x.com is no such name. */
const INITIALS_AND_TITLES =
  /(?<![\p{L}\p{M}\p{N}\p{So}\p{Emoji_Modifier}.-])(?:(?:(?:\p{L}\.)+|(?:Dr|Mr|Mrs|Ms|St|Prof)\.)(?=\p{Lu}\p{Ll})|Co\.(?=Ltd\b))/gu;

/** Whether a mail client would turn part of the text into a link. A dot before a space, a digit or a single letter is fine. */
export function containsUrl(text: string): boolean {
  // Full-width dots count as dots, and characters that show nothing must not hide one.
  const shown = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(INITIALS_AND_TITLES, (found) => found.replaceAll('.', ' '));
  return shown.includes('://') || /www\./i.test(shown) || HOST.test(shown) || IP_ADDRESS.test(shown);
}
