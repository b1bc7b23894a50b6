import { lastValue } from "../api/use-fetch.ts";
import { DoctorPanel } from "../health/doctor-panel.tsx";
import { NoticeList } from "../health/notice-list.tsx";
import { RecordingStatus } from "../health/recording-status.tsx";
import { SearchStatus, SourceList } from "../health/source-list.tsx";
import { useStatus } from "../health/use-status.ts";
import { useStrings } from "../i18n/strings.ts";
import "../styles/lists.css";
import "../health/health.css";

/** Whether everything is recorded, and how to fix it if not. */
export function HealthPage() {
  const strings = useStrings();
  const status = lastValue(useStatus());
  return (
    <div className="health-page">
      <h1>{strings.pages.health}</h1>
      <DoctorPanel />
      <div className="columns">
        {status !== null && (
          <>
            <RecordingStatus status={status} />
            <SourceList status={status} />
          </>
        )}
        <SearchStatus />
      </div>
      {status !== null && <NoticeList status={status} />}
    </div>
  );
}
