import { createFileRoute } from '@tanstack/react-router';
import { BoardPage } from '../../../features/board/board-page.tsx';
import { idParam, present, searchParam } from '../../search-params.ts';

export const Route = createFileRoute('/_shell/board')({
  staticData: { title: 'Job Board' },
  validateSearch: (search) =>
    present({
      search: searchParam(search),
      staff_id: idParam(search, 'staff_id'),
      category_id: idParam(search, 'category_id'),
    }),
  component: BoardRoute,
});

function BoardRoute() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return <BoardPage search={search} onSearch={(next) => void navigate({ search: present({ ...next }), replace: true })} />;
}
