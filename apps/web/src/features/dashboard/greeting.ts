/** 'Sunday, November 15' in the person's own zone. */
export function todayWords(now: Date): string {
  return now.toLocaleDateString('en-US', { weekday: 'long', month: 'long', day: 'numeric' });
}

/** 'Good morning, Mia' by the hour of the person's own clock. A name that is only the start of the e-mail address is none. */
export function greeting(hour: number, { name, email }: { name: string; email: string }): string {
  const part = hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening';
  const first = name.trim().split(/\s+/)[0];
  return first && !email.startsWith(`${name}@`) && name !== email ? `Good ${part}, ${first}` : `Good ${part}`;
}
