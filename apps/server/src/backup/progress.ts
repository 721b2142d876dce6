/** Takes one line for the person who waits; a slow reader is waited for. */
export type Progress = (line: string) => void | Promise<void>;

const STEPS = 20;

/** Whether it is time to say how far a step has come: at most twenty times, however large it is. */
export function everyTwentieth(total: number): (done: number) => boolean {
  let told = 0;
  return (done) => {
    const step = Math.floor((done / Math.max(1, total)) * STEPS);
    if (step <= told) return false;
    told = step;
    return true;
  };
}

export function countText(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
