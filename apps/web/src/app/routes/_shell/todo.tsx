import { useQueryClient } from '@tanstack/react-query';
import { createFileRoute, useLocation, useRouter } from '@tanstack/react-router';
import type { StaffBooking } from '../../../features/jobs/job-fields.tsx';
import { TaskDialog } from '../../../features/tasks/task-dialog.tsx';
import { TodoPage } from '../../../features/tasks/todo-page.tsx';
import { parseChoiceParam, parseIdParam, toOptionalParams } from '../../search-params.ts';

const FLAG_VALUES = ['true'] as const;

export const Route = createFileRoute('/_shell/todo')({
  staticData: { title: 'To Do', restoresScroll: true },
  validateSearch: (search) => toOptionalParams({ add: parseChoiceParam(search, 'add', FLAG_VALUES), task: parseIdParam(search, 'task') }),
  component: TodoRoute,
});

/** Loads the code that reports clashes, which is needed only when a task with a date is saved. */
const loadClashes = () => import('../../../features/calendar/booking-clash.tsx');

function TodoRoute() {
  const { add, task } = Route.useSearch();
  const navigate = Route.useNavigate();
  const router = useRouter();
  const queryClient = useQueryClient();
  const fromPage = useLocation({ select: ({ state }) => state.fromPage === true });
  const leave = () => void navigate({ search: {}, replace: true });
  const handleBooked = (booking: StaffBooking) =>
    void loadClashes().then(
      (module) => module.notifyOfClash(queryClient, booking),
      () => undefined,
    );
  return (
    <>
      <TodoPage onBooked={handleBooked} />
      <TaskDialog
        task={add ? 'new' : task}
        // If the list is the previous history entry, goes back instead of adding the same page again.
        onClose={() => (fromPage ? router.history.back() : leave())}
        onMissing={leave}
        onBooked={handleBooked}
      />
    </>
  );
}
