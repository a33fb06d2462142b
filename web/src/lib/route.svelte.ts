// Where in the house the reader is: the path of the address, followed without loading the page anew.

class Route {
  path = $state(location.pathname);

  constructor() {
    addEventListener('popstate', () => (this.path = location.pathname));
    document.addEventListener('click', (event) => this.#followed(event));
  }

  go(path: string): void {
    if (path !== location.pathname + location.search) history.pushState(null, '', path);
    this.path = location.pathname;
    scrollTo(0, 0);
  }

  /** A link within the page, clicked as links are: it stays in the page. */
  #followed(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = (event.target as Element).closest('a');
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (link.pathname.startsWith('/api/') || link.pathname.startsWith('/fairness/check')) return;
    if (link.hash && link.pathname === location.pathname) return;
    event.preventDefault();
    this.go(link.pathname + link.search);
  }
}

export const route = new Route();
