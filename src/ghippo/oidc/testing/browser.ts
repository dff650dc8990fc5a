/** For tests: as much of a browser as signing in at the test provider needs, which is cookies, redirects and forms. */
export interface Browser {
  /** Signs in under a name at the page of a provider; where the provider sends the browser back to. */
  signIn(url: string, login: string, backTo: string): Promise<URL>;
}

const MOST_STEPS = 12;

export function browser(): Browser {
  const cookies = new Map<string, string>();

  async function visit(url: URL, form?: Record<string, string>): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = line.match(/^([^=]+)=([^;]*)/) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  }

  return {
    async signIn(start, login, backTo) {
      let at = new URL(start);
      let form: Record<string, string> | undefined;
      for (let step = 0; step < MOST_STEPS; step++) {
        const answer = await visit(at, form);
        const location = answer.headers.get('location');
        if (location !== null) {
          at = new URL(location, at);
          form = undefined;
          if (at.href.startsWith(backTo)) return at;
          continue;
        }
        const page = await answer.text();
        const action = page.match(/<form[^>]* action="([^"]+)"/)?.[1];
        if (action === undefined) throw new Error(`${answer.status} at ${at.href}: ${page.slice(0, 500)}`);
        const prompt = page.match(/name="prompt" value="([^"]+)"/)?.[1] ?? 'login';
        at = new URL(action, at);
        form = prompt === 'login' ? { prompt, login, password: 'any' } : { prompt };
      }
      throw new Error('the provider never sent the browser back');
    },
  };
}
