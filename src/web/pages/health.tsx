import { lastValue } from "../api/use-answer.ts";
import { DoctorPanel } from "../health/doctor-panel.tsx";
import { NoticeList } from "../health/notice-list.tsx";
import { RecordingFacts } from "../health/recording-facts.tsx";
import { SearchFacts, SourceList } from "../health/source-list.tsx";
import { useStatus } from "../health/use-status.ts";
import { useWords } from "../words/words.ts";
import "../look/lists.css";
import "../health/health.css";

/** Whether everything that happens is recorded, and what to do where it is not. */
export function HealthPage() {
  const words = useWords();
  const status = lastValue(useStatus());
  return (
    <div className="health-page">
      <h1>{words.pages.health}</h1>
      <div className="columns">
        <div className="column">
          <DoctorPanel />
          {status !== null && <NoticeList status={status} />}
        </div>
        <div className="column">
          {status !== null && (
            <>
              <RecordingFacts status={status} />
              <SourceList status={status} />
            </>
          )}
          <SearchFacts />
        </div>
      </div>
    </div>
  );
}
