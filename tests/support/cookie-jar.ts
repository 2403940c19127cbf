// The cookies of one browser for one host: as there, every port gets all of them.

export interface CookieJar {
  ask(url: string, init?: RequestInit): Promise<Response>;
  /** Posts the token as the dashboard does; answers the status. */
  signIn(serverUrl: string, token: string): Promise<number>;
  names(): readonly string[];
  /** As a browser sends them. */
  text(): string;
}

export function createCookieJar(): CookieJar {
  const kept = new Map<string, string>();
  const text = () => [...kept].map(([name, value]) => `${name}=${value}`).join('; ');
  const ask: CookieJar['ask'] = async (url, init = {}) => {
    const headers = { ...(init.headers as Record<string, string> | undefined), Cookie: text() };
    const answer = await fetch(url, { ...init, headers });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/; Max-Age=0(?:;|$)/.test(line)) kept.delete(name);
      else kept.set(name, value);
    }
    return answer;
  };
  return {
    ask,
    async signIn(serverUrl, token) {
      const headers = { 'Content-Type': 'application/json' };
      const body = JSON.stringify({ token });
      return (await ask(`${serverUrl}/api/session`, { method: 'POST', headers, body })).status;
    },
    names: () => [...kept.keys()],
    text,
  };
}
