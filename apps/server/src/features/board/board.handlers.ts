import { calls, tenantQuery } from '../../platform/http/calls.ts';

const notBuilt = (): never => {
  throw new Error('Not built yet');
};

export const boardHandlers = {
  get: calls.board.get.handler(tenantQuery(notBuilt)),
};
