import { createFileRoute } from '@tanstack/react-router';
import { SuppliersListPage } from '../../../features/suppliers/suppliers-list-page.tsx';
import { parseSearchTerm, toOptionalParams } from '../../search-params.ts';

export const Route = createFileRoute('/_shell/items-services/suppliers/')({
  staticData: { title: 'Suppliers', restoresScroll: true },
  validateSearch: (search) => toOptionalParams({ search: parseSearchTerm(search) }),
  component: SuppliersRoute,
});

function SuppliersRoute() {
  const { search } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <SuppliersListPage
      title="Suppliers"
      search={search}
      onSearch={(next) => void navigate({ search: toOptionalParams({ search: next }), replace: true })}
    />
  );
}
