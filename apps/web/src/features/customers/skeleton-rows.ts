/** Returns skeleton props for a list of jobs or quotes. The lists on a customer's page are shorter. */
export const getSkeletonRowsProps = (customerId?: string) =>
  ({ label: 'Loading...', count: customerId === undefined ? 9 : 4, className: 'h-21 lg:h-17 xl:h-14' }) as const;
