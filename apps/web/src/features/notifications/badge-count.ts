const MOST = 99;

/** What the bell's badge says; nothing when everything is read. */
export function badgeCount(unread: number): string | null {
  if (unread <= 0) return null;
  return unread > MOST ? `${MOST}+` : String(unread);
}
