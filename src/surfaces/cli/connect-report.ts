// What `connect` has done or would do, as a value: the text and --json show the same.
import type { Connection } from '../../hosts/connect/connect-host.ts';
import type { Host, Scope, Server } from '../../hosts/connect/host-config.ts';
import type { Served } from './connect-served.ts';

export interface ConnectionReport {
  readonly host: Pick<Host, 'id' | 'title' | 'tokenByVariable'>;
  readonly scope: Scope;
  readonly server: Server | undefined;
  /** `undefined`: the host is not to start this program. */
  readonly served: Served | undefined;
  readonly connection: Connection;
  readonly isHere: boolean;
  /** It was given by an option, which is not passed on. */
  readonly hasDatabaseUrl: boolean;
  /** About the place where a new file is made. */
  readonly warning: string | undefined;
  readonly showPath: (path: string) => string;
}

export const isChange = ({ action }: Connection): boolean => action !== 'unchanged' && action !== 'absent';
