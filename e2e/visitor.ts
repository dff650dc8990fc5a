/** As much of a browser as the pages around signing in need: cookies, redirects, pages that go on, and forms. */

export interface Page {
  readonly url: URL;
  readonly code: number;
  readonly text: string;
  /** Where the page goes on to by itself or was redirected to; undefined when it stays. */
  readonly next: URL | undefined;
}

export interface Visitor {
  visit(url: string | URL): Promise<Page>;
  /** Sends the first form of a page, with what it holds already and what is filled in. */
  send(page: Page, filled: Readonly<Record<string, string>>): Promise<Page>;
}

export function visitor(): Visitor {
  const cookies = new Map<string, string>();

  async function load(url: URL, body?: URLSearchParams): Promise<Page> {
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'sec-fetch-site': 'same-origin',
      },
      ...(body ? { method: 'POST', body } : {}),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await answer.text();
    const to = answer.headers.get('location') ?? plain(/content="0; url=([^"]+)"/.exec(text)?.[1]);
    return { url, code: answer.status, text, next: to === undefined ? undefined : new URL(to, url) };
  }

  return {
    visit: (url) => load(new URL(url)),
    send(page, filled) {
      const [, action = '', fields = ''] = /<form[^>]* action="([^"]+)">([^]*?)<\/form>/.exec(page.text) ?? [];
      const held = [...fields.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
      const kept = Object.fromEntries(held.map(([, name = '', value]) => [name, plain(value) ?? '']));
      return load(new URL(plain(action) ?? '', page.url), new URLSearchParams({ ...kept, ...filled }));
    },
  };
}

function plain(text: string | undefined): string | undefined {
  return text?.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
}
