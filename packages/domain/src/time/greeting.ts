/** Greets people by the hour: 'Good morning, Mia'. Omits a name that only repeats the email address. */
export function formatGreeting(hour: number, { name, email }: { name: string; email: string }): string {
  const partOfDay = hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening';
  const firstName = name.trim().split(/\s+/)[0];
  return firstName && !email.startsWith(`${name}@`) && name !== email ? `Good ${partOfDay}, ${firstName}` : `Good ${partOfDay}`;
}
