/** 'Sunday, November 15' in the browser's time zone. */
export function todayWords(now: Date): string {
  return now.toLocaleDateString('en-US', { weekday: 'long', month: 'long', day: 'numeric' });
}

/** 'Good morning, Mia' by the hour of the browser's clock. A name that only repeats the email is not used. */
export function greeting(hour: number, { name, email }: { name: string; email: string }): string {
  const part = hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening';
  const first = name.trim().split(/\s+/)[0];
  return first && !email.startsWith(`${name}@`) && name !== email ? `Good ${part}, ${first}` : `Good ${part}`;
}
