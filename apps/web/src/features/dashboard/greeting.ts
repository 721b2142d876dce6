/** 'Good morning, Mia' by the hour of the person's own clock. */
export function greeting(hour: number, name: string): string {
  const part = hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening';
  const first = name.trim().split(/\s+/)[0];
  return first && !first.includes('@') ? `Good ${part}, ${first}` : `Good ${part}`;
}
