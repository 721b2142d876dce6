import { addComment, removeComment, updateComment } from '../../features/comments/comments.api.ts';
import { changeQuantity, removeItem, setQuantity } from '../../features/jobs/jobs-items.api.ts';
import { pauseTimer, startTimer } from '../../features/timer/timer-commands.api.ts';

/** All commands. Loaded for commands from an earlier visit, which may have been made on pages that are not open now. */
export const COMMAND_DEFINITIONS = [
  startTimer,
  pauseTimer,
  setQuantity,
  changeQuantity,
  removeItem,
  addComment,
  updateComment,
  removeComment,
] as const;
