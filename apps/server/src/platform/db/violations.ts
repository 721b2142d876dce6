/** Whether an error, or what caused it, is a unique constraint refusing a second row. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return violates(error, '23505', (name) => name === constraint);
}

/** Keys to the login of somebody else than the caller. */
const OF_OTHERS = new Set(['notifications_user_id_fkey']);

/** Whether the company or the login it happened for was deleted while it was under way. */
export function isOwnerGone(error: unknown): boolean {
  return violates(error, '23503', (name) => /_(company|user|profile)_id_fkey$/.test(name) && !OF_OTHERS.has(name));
}

function violates(error: unknown, code: string, isMeant: (constraint: string) => boolean): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && cause.code === code && 'constraint' in cause && isMeant(String(cause.constraint))) return true;
  }
  return false;
}
