/** The link a mail is about: the last that leads to us, else the last. What people typed, such as their names, stands before it. */
export function mailLink(text: string, appUrl: string): string | undefined {
  const links = text.match(/https?:\/\/[^\s<>"]+/g) ?? [];
  return links.findLast((link) => link === appUrl || link.startsWith(`${appUrl}/`)) ?? links.at(-1);
}
