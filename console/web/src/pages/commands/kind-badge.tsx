import { Eye, Pencil } from 'lucide-react';
import { Badge } from '../../components/ui/badge.tsx';
import { commandsText } from '../../text/text.commands.ts';

/** Whether a command only reads or changes data. */
export const KindBadge = ({ isRead }: { isRead: boolean }) =>
  isRead ? (
    <Badge tone="gray" icon={Eye}>
      {commandsText.kinds.read}
    </Badge>
  ) : (
    <Badge tone="amber" icon={Pencil}>
      {commandsText.kinds.change}
    </Badge>
  );
