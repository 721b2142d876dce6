/** Whether an error, or what caused it, is a unique constraint refusing a second row. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && cause.code === '23505' && 'constraint' in cause && cause.constraint === constraint) return true;
  }
  return false;
}
