/**
 * A condition, always true, that makes the commit of its statement wait for no second database server and no disk. For writes on behalf of
 * reads, which go on while no standby is left. A failover may lose what was written.
 */
export const WITHOUT_STANDBY = `set_config('synchronous_commit', 'off', true) is not null`;
