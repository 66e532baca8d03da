import { useRouter } from '@tanstack/react-router';
import { Button, ButtonLink } from '../components/ui/button.tsx';
import { PageHeader } from '../components/ui/surface.tsx';
import { errorText } from '../text/errors.ts';

/** In place of a page whose code has failed. Navigation and the other pages go on. */
export function PageFailure() {
  const router = useRouter();
  return (
    <div role="alert" className="flex flex-col items-start gap-3 py-12">
      <h1 className="text-xl font-semibold">{errorText.pageTitle}</h1>
      <p className="text-muted">{errorText.pageText}</p>
      <Button kind="primary" onClick={() => void router.invalidate()}>
        {errorText.reload}
      </Button>
    </div>
  );
}

/**
 * In place of a page that the role does not permit: its title, and nothing that would send a
 * request.
 */
export function PageRefused({ title }: { title: string }) {
  return (
    <>
      <PageHeader title={title} />
      <p role="alert" className="rounded-md bg-red-soft px-3 py-2 text-red">
        {errorText.byStatus.PERMISSION_DENIED}
      </p>
    </>
  );
}

/** In place of a page of the platform for an operator who does not administer it. */
export function NotPermitted() {
  return (
    <div role="alert" className="flex flex-col items-start gap-3 py-12">
      <h1 className="text-xl font-semibold">{errorText.byStatus.PERMISSION_DENIED}</h1>
      <p className="text-muted">{errorText.platformOnly}</p>
      <ButtonLink kind="primary" href="/">
        {errorText.goHome}
      </ButtonLink>
    </div>
  );
}

export function NotFound() {
  return (
    <div className="flex flex-col items-start gap-3 py-12">
      <h1 className="text-xl font-semibold">{errorText.notFoundTitle}</h1>
      <p className="text-muted">{errorText.notFoundText}</p>
      <ButtonLink kind="primary" href="/">
        {errorText.goHome}
      </ButtonLink>
    </div>
  );
}
