import type { HttpClient, TestResponse } from '@event-api/platform/testing/http-client';

type Body = TestResponse['body'];

/**
 * Requests of a journey. Each returns the response body. Errors: any other status than the expected
 * one.
 */
export interface Steps {
  /** Expects 200. */
  get(path: string): Promise<Body>;
  /** Expects 200. */
  patch(path: string, body: object): Promise<Body>;
  /** Expects 201. */
  create(path: string, body: object): Promise<Body>;
  /** A POST that creates nothing: expects 200. */
  post(path: string, body?: object): Promise<Body>;
  expect(status: number, method: string, path: string, body?: unknown): Promise<Body>;
}

export function stepsOf(call: HttpClient): Steps {
  async function expect(status: number, method: string, path: string, body?: unknown) {
    const response = await call(method, path, body === undefined ? {} : { body });
    if (response.status === status) return response.body as Body;
    const text = JSON.stringify(response.body);
    throw new Error(
      `${method} ${path} responded with ${response.status}, expected ${status}: ${text}`,
    );
  }
  return {
    get: (path) => expect(200, 'GET', path),
    patch: (path, body) => expect(200, 'PATCH', path, body),
    create: (path, body) => expect(201, 'POST', path, body),
    post: (path, body) => expect(200, 'POST', path, body),
    expect,
  };
}
