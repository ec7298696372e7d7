using Kilnhouse.Core.Firings;
using Kilnhouse.Core.Kilns;
using Kilnhouse.Core.Pricing;
using Kilnhouse.Core.Storage;
using Kilnhouse.Core.Units;
using Microsoft.Extensions.Options;

namespace Kilnhouse.Worker;

/// <summary>Runs every planned firing, one kiln after the other.</summary>
public sealed partial class FiringWorker(
    IRepository<FiringId, Firing> firings,
    IKilnController controller,
    IFiringPricer pricer,
    IOptions<WorkerOptions> options,
    TimeProvider time,
    ILogger<FiringWorker> logger) : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        while (!stoppingToken.IsCancellationRequested)
        {
            await foreach (var firing in firings.AllAsync(stoppingToken))
            {
                if (firing.Stage == FiringStage.Loaded)
                {
                    await RunAsync(firing, stoppingToken);
                }
            }

            await Task.Delay(options.Value.Poll, stoppingToken);
        }
    }

    private async Task RunAsync(Firing firing, CancellationToken cancellationToken)
    {
        LogStarted(firing.Id, firing.Kiln, pricer.Price(firing, new PricingContext(time.GetLocalNow())));
        await firings.SaveAsync(firing.MoveTo(FiringStage.Heating), cancellationToken);
        var at = Temperature.Room;
        foreach (var segment in firing.Schedule)
        {
            var duration = segment.Duration(at);
            at = segment.End(at);
            await controller.SetTargetAsync(firing.Kiln, at, cancellationToken);
            if (!await FollowAsync(firing.Kiln, at, duration, cancellationToken))
            {
                await controller.SwitchOffAsync(firing.Kiln);
                await firings.SaveAsync(firing.MoveTo(FiringStage.Aborted), cancellationToken);
                return;
            }
        }

        await controller.SwitchOffAsync(firing.Kiln);
        await firings.SaveAsync(firing.MoveTo(FiringStage.Unloaded), cancellationToken);
    }

    private async Task<bool> FollowAsync(KilnId kiln, Temperature target, TimeSpan duration, CancellationToken cancellationToken)
    {
        await Task.Delay(duration, cancellationToken);
        var reading = await controller.ReadAsync(kiln, cancellationToken);
        return Math.Abs(reading - target) <= options.Value.Tolerance;
    }

    [LoggerMessage(LogLevel.Information, "Firing {Firing} in {Kiln} starts, {Price} EUR")]
    private partial void LogStarted(FiringId firing, KilnId kiln, decimal price);
}
