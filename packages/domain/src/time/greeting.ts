/** 'Good morning, Mia' by the hour of the day. A name that only repeats the email is not used. */
export function greeting(hour: number, { name, email }: { name: string; email: string }): string {
  const part = hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening';
  const first = name.trim().split(/\s+/)[0];
  return first && !email.startsWith(`${name}@`) && name !== email ? `Good ${part}, ${first}` : `Good ${part}`;
}
