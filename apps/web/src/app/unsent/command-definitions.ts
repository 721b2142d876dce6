import { scheduleJob, scheduleTask } from '../../features/calendar/calendar-schedule.api.ts';
import { addComment, removeComment, updateComment } from '../../features/comments/comments.api.ts';
import { dismissStartCard } from '../../features/company/company.api.ts';
import { saveMenuOrder } from '../../features/company/company-settings.api.ts';
import { changeQuantity, removeItem, setQuantity } from '../../features/jobs/jobs-items.api.ts';
import { setJobStatus } from '../../features/jobs/jobs-status-command.api.ts';
import {
  clearNotifications,
  markAllNotificationsRead,
  markNotificationRead,
  removeNotification,
  restoreNotifications,
} from '../../features/notifications/notifications.api.ts';
import { setTaskStatus } from '../../features/tasks/tasks.api.ts';
import { pauseTimer, startTimer } from '../../features/timer/timer-commands.api.ts';
import { addTime, changeTime, correctEnd, removeTime } from '../../features/timer/timer-entries.api.ts';

/** All commands. Loaded for commands from an earlier visit, which may have been made on pages that are not open now. */
export const COMMAND_DEFINITIONS = [
  startTimer,
  pauseTimer,
  correctEnd,
  addTime,
  changeTime,
  removeTime,
  setQuantity,
  changeQuantity,
  removeItem,
  setJobStatus,
  scheduleJob,
  scheduleTask,
  setTaskStatus,
  addComment,
  updateComment,
  removeComment,
  markNotificationRead,
  markAllNotificationsRead,
  removeNotification,
  clearNotifications,
  restoreNotifications,
  saveMenuOrder,
  dismissStartCard,
] as const;
