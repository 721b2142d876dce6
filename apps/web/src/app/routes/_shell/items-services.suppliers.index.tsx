import { createFileRoute } from '@tanstack/react-router';
import { SuppliersListPage } from '../../../features/suppliers/suppliers-list-page.tsx';
import { present, searchParam } from '../../search-params.ts';

export const Route = createFileRoute('/_shell/items-services/suppliers/')({
  staticData: { title: 'Suppliers', keepsScroll: true },
  validateSearch: (search) => present({ search: searchParam(search) }),
  component: SuppliersRoute,
});

function SuppliersRoute() {
  const { search } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <SuppliersListPage
      title="Suppliers"
      search={search}
      onSearch={(next) => void navigate({ search: present({ search: next }), replace: true })}
    />
  );
}
