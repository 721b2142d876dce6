import { useQueryClient } from '@tanstack/react-query';
import { createFileRoute, useLocation, useRouter } from '@tanstack/react-router';
import type { TypedBooking } from '../../../features/jobs/job-fields.tsx';
import { TaskDialog } from '../../../features/tasks/task-dialog.tsx';
import { TodoPage } from '../../../features/tasks/todo-page.tsx';
import { choiceParam, idParam, present } from '../../search-params.ts';

const YES = ['true'] as const;

export const Route = createFileRoute('/_shell/todo')({
  staticData: { title: 'To Do', keepsScroll: true },
  validateSearch: (search) => present({ add: choiceParam(search, 'add', YES), task: idParam(search, 'task') }),
  component: TodoRoute,
});

/** Only asked for when something was booked. */
const loadClashes = () => import('../../../features/calendar/booking-clash.tsx');

function TodoRoute() {
  const { add, task } = Route.useSearch();
  const navigate = Route.useNavigate();
  const router = useRouter();
  const queryClient = useQueryClient();
  const fromPage = useLocation({ select: ({ state }) => state.fromPage === true });
  const leave = () => void navigate({ search: {}, replace: true });
  const tellClash = (booking: TypedBooking) =>
    void loadClashes().then(
      (file) => file.tellClash(queryClient, booking),
      () => undefined,
    );
  return (
    <>
      <TodoPage onBooked={tellClash} />
      <TaskDialog
        task={add ? 'new' : task}
        // The page is the step before: going back to it leaves no second entry of it behind.
        onClose={() => (fromPage ? router.history.back() : leave())}
        onMissing={leave}
        onBooked={tellClash}
      />
    </>
  );
}
