import { calls, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';

const notBuilt = (): never => {
  throw new Error('Not built yet');
};

export const tasksHandlers = {
  list: calls.tasks.list.handler(tenantQuery(notBuilt)),
  count: calls.tasks.count.handler(tenantQuery(notBuilt)),
  get: calls.tasks.get.handler(tenantQuery(notBuilt)),
  create: calls.tasks.create.handler(tenantMutation(notBuilt)),
  update: calls.tasks.update.handler(tenantMutation(notBuilt)),
  setStatus: calls.tasks.setStatus.handler(tenantMutation(notBuilt)),
  remove: calls.tasks.remove.handler(tenantMutation(notBuilt)),
};
