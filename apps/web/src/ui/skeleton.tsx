import { classes } from './classes.ts';

/** Stands where content will be, in its final size, so that nothing jumps when it arrives. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={classes('block animate-pulse rounded bg-sunken dark:bg-raised', className)} />;
}
